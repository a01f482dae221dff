import type { Server, ServerOptions } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "@hono/node-server";
import { onFirstUse } from "#shared/on-first-use.ts";
import { createApp } from "./app.ts";
import { type Config, listeningUrl } from "./config.ts";
import type { Deps } from "./context.ts";
import { prepareStore } from "./first-run.ts";
import { endSlowRequests, ignoreAborts } from "./http/bodies.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts, MAX_CONNECTIONS } from "./http/limits.ts";
import { lockDataDir } from "./lib/data-dir.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";

/** Maximum time for requests in flight when the server stops. */
const DRAIN_MS = 10 * 1000;
const IDLE_CHECK_MS = 50;
/** When the server has been stopping for so long, it closes connections on which nothing was ever sent. */
const UNUSED_MS = 1000;

export interface RunningServer {
  /** Public URL of the store. */
  url: string;
  deps: Deps;
  /** Messages for the operator about this start. */
  notes: string[];
  /**
   * Reports not ready for `stopDelayMs`, then refuses new connections, waits for requests in flight, and stops the workers
   * and the database. Called again, it goes on with that.
   */
  stop(): Promise<void>;
}

/**
 * Starts the server and locks its data folder until it has stopped.
 * @param now the clock
 */
export async function startServer(
  config: Config,
  now?: () => Date,
  timeouts = CLIENT_TIMEOUTS,
  options: StoreOptions = {},
): Promise<RunningServer> {
  const unlock = lockDataDir(config.dataDir);
  try {
    const server = await openServer(config, now, timeouts, options);
    // A signal comes twice where it was sent to the server and to the program that started it, which passes it on.
    return { ...server, stop: onFirstUse(() => server.stop().finally(unlock)) };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openServer(
  config: Config,
  now: (() => Date) | undefined,
  timeouts: ClientTimeouts,
  options: StoreOptions,
): Promise<RunningServer> {
  const store = await openStore(config, now, options);
  const prepared = Promise.withResolvers<boolean>();
  const server = await listen(store, config, timeouts, prepared.promise).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const connections = connectionsOf(server);
  const stop = (delayMs: number) => drain({ server, connections, store, delayMs });
  const { port } = server.address() as AddressInfo;
  store.setListeningUrl(listeningUrl(config.host, port));
  try {
    // Once it listens, because a start that failed would not print the password of the admin that it had created.
    const notes = await prepareStore(store.deps);
    prepared.resolve(true);
    return {
      url: store.deps.publicUrl(),
      deps: store.deps,
      notes,
      stop: () => stop(config.stopDelayMs),
    };
  } catch (error) {
    prepared.resolve(false);
    await stop(0);
    throw error;
  }
}

/** Listens, and answers once the store is prepared; if it could not be, refuses the requests that waited for it. */
function listen(
  store: Store,
  config: Config,
  timeouts: ClientTimeouts,
  prepared: Promise<boolean>,
): Promise<Server> {
  const serverOptions: ServerOptions = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.headers / 4,
    ...(timeouts.idle && { keepAliveTimeout: timeouts.idle }),
  };
  const app = createApp(store.deps);
  return new Promise((resolve, reject) => {
    const server = serve({
      fetch: async (...request) =>
        (await prepared)
          ? app.fetch(...request)
          : new Response("The store could not be started", { status: 503 }),
      hostname: config.host,
      port: config.port,
      serverOptions,
    }) as Server;
    server.maxConnections = MAX_CONNECTIONS;
    endSlowRequests(server, timeouts.pause);
    ignoreAborts(server);
    server.once("listening", () => resolve(server));
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `PORT: another program listens at ${config.host}:${config.port}`
          : `HOST, PORT: ${error.message}`;
      reject(new Error(reason, { cause: error }));
    });
  });
}

function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

interface Draining {
  server: Server;
  connections: ReadonlySet<Socket>;
  store: Store;
  delayMs: number;
}

async function drain({ server, connections, store, delayMs }: Draining): Promise<void> {
  store.startDraining();
  if (delayMs > 0) await sleep(delayMs);
  const closed = new Promise((resolve) => server.close(resolve));
  store.startClosing();
  // A connection that becomes idle after `close` would stay open for its keep-alive time.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  // Browsers open some in advance, and to Node they are not idle.
  const closeUnused = setTimeout(() => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, UNUSED_MS);
  const forceClose = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(closeUnused);
  clearTimeout(forceClose);
  await store.close();
}
