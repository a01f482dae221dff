import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { tempFolder } from "./temporary.ts";

/** The standard test string that every scanner detects; split in two, so that none detects it in this file. */
export const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}$", "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"].join("");

const COMMAND = Buffer.from("zINSTREAM\0");

export type ClamdFault =
  | "silent"
  | "hangs up at once"
  | "hangs up in the middle"
  | "is content too early"
  | "error"
  | "nonsense"
  | "exceeds its limits"
  | "endless"
  | "reads nothing";

/** Implements clamd's INSTREAM on a real socket, detects the EICAR string, and can fail as clamd does. */
export class ClamdEmulator {
  fault: ClamdFault | null = null;
  /** Every answer waits for it. */
  thinking: Promise<void> | null = null;
  /** Like clamd's StreamMaxLength. */
  maxBytes = 25 * 1024 * 1024;
  /** The sizes of the scanned streams, in bytes. */
  readonly scanned: number[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).on("close", () => this.#sockets.delete(socket));
      this.#serve(socket);
    });
  }

  static async forTest(kind: "tcp" | "unix" = "tcp"): Promise<ClamdEmulator> {
    const server = createServer();
    const path = join(await tempFolder(), "clamd.sock");
    if (kind === "unix") server.listen(path);
    else server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = typeof address === "string" ? `unix:${address}` : `tcp://127.0.0.1:${address?.port}`;
    const emulator = new ClamdEmulator(server, url);
    onTestFinished(() => emulator.stop());
    return emulator;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(socket: Socket): void {
    const { fault } = this;
    if (fault === "hangs up at once") return void socket.destroy();
    if (fault === "reads nothing") return;
    let buffered = Buffer.alloc(0);
    const content: Buffer[] = [];
    let bytes = 0;
    let isBegun = false;
    socket.on("data", (part) => {
      buffered = Buffer.concat([buffered, part]);
      if (!isBegun && buffered.length < COMMAND.length) return;
      if (!isBegun && !buffered.subarray(0, COMMAND.length).equals(COMMAND))
        return void socket.end("UNKNOWN COMMAND\0");
      if (!isBegun) buffered = buffered.subarray(COMMAND.length);
      isBegun = true;
      while (buffered.length >= 4 && buffered.length >= 4 + buffered.readUInt32BE()) {
        const length = buffered.readUInt32BE();
        if (length === 0) return void this.#answer(socket, Buffer.concat(content));
        content.push(buffered.subarray(4, 4 + length));
        buffered = buffered.subarray(4 + length);
        bytes += length;
        if (fault === "hangs up in the middle") return void socket.destroy();
        if (fault === "is content too early") return void socket.end("stream: OK\0");
        if (bytes > this.maxBytes) return void socket.end("INSTREAM size limit exceeded. ERROR\0");
      }
    });
  }

  async #answer(socket: Socket, content: Buffer): Promise<void> {
    this.scanned.push(content.length);
    await this.thinking;
    if (this.fault === "silent") return;
    if (this.fault === "error") return void socket.end("stream: Can't allocate memory ERROR\0");
    if (this.fault === "nonsense") return void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n\0");
    if (this.fault === "endless") return void socket.write("A".repeat(5000));
    if (this.fault === "exceeds its limits")
      return void socket.end("stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0");
    socket.end(content.includes(EICAR) ? "stream: Eicar-Signature FOUND\0" : "stream: OK\0");
  }
}
