import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections opened at the same time. */
const AT_ONCE = 200;

export interface UnfinishedBody {
  connections: number;
  /** The path of the request. */
  path: string;
  /** The announced length of the body; all but the last byte is sent. */
  bytes: number;
  /** Further header lines. */
  headers?: readonly string[];
}

/** Many connections that announce a body, send all but its end, and wait. */
export class UnfinishedBodies {
  readonly #sockets: Socket[] = [];
  /** The number of responses by status. */
  readonly statuses = new Map<number, number>();
  lastAnswer = "";

  /** Resolves when all connections are open and have sent everything. */
  static async open(url: string, attack: UnfinishedBody): Promise<UnfinishedBodies> {
    const { hostname, port, host } = new URL(url);
    const head = [
      `POST ${attack.path} HTTP/1.1`,
      `Host: ${host}`,
      "Content-Type: application/json",
      `Content-Length: ${attack.bytes}`,
      ...(attack.headers ?? []),
    ];
    const start = `{"email":"`;
    const request = `${head.join("\r\n")}\r\n\r\n${start}${"a".repeat(Math.max(0, attack.bytes - 1 - start.length))}`;
    const bodies = new UnfinishedBodies();
    for (let opened = 0; opened < attack.connections; opened += AT_ONCE) {
      const count = Math.min(AT_ONCE, attack.connections - opened);
      await Promise.all(Array.from({ length: count }, () => bodies.#open(Number(port), hostname, request)));
    }
    return bodies;
  }

  /** Connections that the server has not closed. */
  get open(): number {
    return this.#sockets.filter((socket) => !socket.destroyed).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #open(port: number, host: string, request: string): Promise<void> {
    const socket = connect(port, host);
    this.#sockets.push(socket);
    socket.setEncoding("latin1").on("error", () => {});
    socket.once("data", (answer: string) => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      this.lastAnswer = answer;
    });
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    if (!socket.destroyed) socket.write(request);
  }
}
