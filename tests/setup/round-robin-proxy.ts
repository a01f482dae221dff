import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const CHECK_MS = 200;
/** Larger requests are not buffered, so they cannot be retried on another server. */
const HELD_BYTES = 1024 * 1024;

/** How far a request got: nothing was sent, or it broke off later. */
type Outcome = "answered" | "not sent" | "broken off";

/**
 * A proxy for several servers: sends each request to the next server whose /readyz is 200. If that server is gone, it
 * retries on another, unless the request may have been carried out and is not idempotent.
 */
export class RoundRobinProxy {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #ready = new Map<string, boolean>();
  readonly #checks: NodeJS.Timeout;
  #turn = 0;

  private constructor() {
    this.#server = createServer((incoming, response) => void this.#forward(incoming, response));
    this.#checks = setInterval(() => void this.#checkAll(), CHECK_MS);
  }

  static async start(): Promise<RoundRobinProxy> {
    const proxy = new RoundRobinProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a server; it gets requests once it is ready. */
  async add(url: string): Promise<void> {
    this.#ready.set(url, false);
    await this.#checkAll();
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #checkAll(): Promise<void> {
    const check = async (url: string) => {
      const signal = AbortSignal.timeout(5 * CHECK_MS);
      const answer = await fetch(`${url}/readyz`, { signal }).catch(() => null);
      this.#ready.set(url, answer?.ok === true);
    };
    await Promise.all([...this.#ready.keys()].map(check));
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    incoming.on("error", () => {});
    const isHeld = Number(incoming.headers["content-length"] ?? 0) <= HELD_BYTES;
    const held = isHeld ? await buffer(incoming).catch(() => "broken off" as const) : null;
    if (held === "broken off") return;
    for (const server of this.#inTurn()) {
      const outcome = await this.#pass(server, incoming, held, response);
      if (outcome === "answered") return;
      this.#ready.set(server, false);
      if (!isHeld || (outcome === "broken off" && !mayRepeat(incoming))) break;
    }
    response.destroy();
  }

  #inTurn(): string[] {
    const ready = [...this.#ready].filter(([, isReady]) => isReady).map(([url]) => url);
    const start = this.#turn++ % Math.max(ready.length, 1);
    return [...ready.slice(start), ...ready.slice(0, start)];
  }

  /** A response that breaks off also breaks off for the client. */
  #pass(
    server: string,
    incoming: IncomingMessage,
    held: Buffer | null,
    response: ServerResponse,
  ): Promise<Outcome> {
    const { method, url = "/", socket } = incoming;
    const headers = { ...incoming.headers, "x-forwarded-for": socket.remoteAddress };
    return new Promise((resolve) => {
      const outgoing = request(server + url, { method, headers, agent: this.#agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", () => response.destroy());
        answer.pipe(response);
        response.once("close", () => {
          answer.destroy();
          resolve("answered");
        });
      });
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        if (response.headersSent) response.destroy();
        resolve(error.code === "ECONNREFUSED" ? "not sent" : "broken off");
      });
      if (held) outgoing.end(held);
      else incoming.pipe(outgoing);
    });
  }
}

/** Whether the request is idempotent. */
function mayRepeat({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD" || headers["idempotency-key"] !== undefined;
}
