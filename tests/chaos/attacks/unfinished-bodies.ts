import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections that are opened at the same time. */
const AT_ONCE = 200;

export interface UnfinishedBody {
  connections: number;
  /** The call that the body is announced to. */
  path: string;
  /** What each announces; it sends all of that but the last byte. */
  bytes: number;
  /** Header lines beside those of the body. */
  headers?: readonly string[];
}

/** Many connections that each announce a body, send all but the end of it, and wait. */
export class UnfinishedBodies {
  readonly #sockets: Socket[] = [];
  /** Status of each answer that came, by how often it came. */
  readonly statuses = new Map<number, number>();
  lastAnswer = "";

  /** Resolves once every connection is open and has been given all that it sends. */
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

  /** Connections that the server has not ended. */
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
