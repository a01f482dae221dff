import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A busy machine needs time for a thousand connections. */
const PATIENCE_MS = 60_000;

/** A client on the socket level, which controls what it sends and when. */
export class SocketClient {
  readonly #socket: Socket;
  /** Everything received so far. */
  received = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1").on("data", (text) => {
      this.received += text;
    });
    socket.on("error", () => {});
  }

  static async connect(url: string): Promise<SocketClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new SocketClient(socket);
  }

  send(text: string | Uint8Array): void {
    this.#socket.write(text);
  }

  /** Resolves when the operating system has accepted all bytes. */
  sendAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Resolves when what was received matches. */
  async receives(pattern: RegExp): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!pattern.test(this.received)) await once(this.#socket, "data", { signal });
  }

  /** Resolves when the server has closed the connection. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.closed) resolve();
      this.#socket.once("close", () => resolve());
    });
  }

  /** The statuses of the responses so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === "open";
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Closes its half of the connection first. */
  finish(): void {
    this.#socket.end(() => this.#socket.destroy());
  }

  reset(): void {
    this.#socket.resetAndDestroy();
  }
}
