import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A client at the level of its socket, which sends what it likes when it likes. */
export class SocketClient {
  readonly #socket: Socket;
  /** Everything that came back so far. */
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

  /** Resolves once the system has taken all of it. */
  sendAll(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Resolves once the server has ended the connection. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.closed) resolve();
      this.#socket.once("close", () => resolve());
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === "open";
  }

  close(): void {
    this.#socket.destroy();
  }
}
