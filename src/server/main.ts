import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { type Config, listeningUrl, readConfig } from "./config.ts";
import { prepareStore } from "./first-run.ts";
import { openStore, type Store } from "./store.ts";

/** A student's 100 MB upload may take half an hour; a client that dawdles over its headers may not. */
const REQUEST_TIMEOUT_MS = 30 * 60 * 1000;
const HEADERS_TIMEOUT_MS = 20 * 1000;
/** How long requests in flight may take after a signal to stop. */
const DRAIN_MS = 10 * 1000;

try {
  await main(readConfig(process.env));
} catch (error) {
  console.error(`Print Store cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

async function main(config: Config): Promise<void> {
  const store = await openStore(config);
  const lines = await prepareStore(store.deps);
  const server = await listen(store, config);
  const { port } = server.address() as AddressInfo;
  const url = config.publicUrl ?? listeningUrl(config.host, port);
  console.log([`Print Store is open at ${url}`, ...lines, mailLine(config, url)].join("\n"));
  stopOnSignal(server, store);
}

function mailLine(config: Config, url: string): string {
  return config.smtpUrl ? "Mails    are sent by SMTP" : `Mails    are kept, read them at ${url}/mailbox`;
}

function listen(store: Store, config: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({
      fetch: createApp(store.deps).fetch,
      hostname: config.host,
      port: config.port,
      serverOptions: { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: HEADERS_TIMEOUT_MS },
    }) as Server;
    server.once("listening", () => resolve(server));
    server.once("error", reject);
  });
}

/** On a signal: no new connections, requests in flight end, then the workers and the database. */
function stopOnSignal(server: Server, store: Store): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await closed;
    clearTimeout(impatience);
    await store.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
}
