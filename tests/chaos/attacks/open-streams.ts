import { connect, type Socket } from "node:net";

/** Live streams that one session opens and never closes. */
export class OpenStreams {
  readonly #sockets: Socket[] = [];
  /** The number of streams that have started. */
  begun = 0;
  /** The reasons with which the server has ended streams. */
  readonly ends: string[] = [];

  constructor(
    url: string,
    { streams, cookie, procedure }: { streams: number; cookie: string; procedure: string },
  ) {
    const { hostname, port, host } = new URL(url);
    const request = [
      `GET /api/trpc/${procedure} HTTP/1.1`,
      `Host: ${host}`,
      `Cookie: ${cookie}`,
      "",
      "",
    ].join("\r\n");
    for (let opened = 0; opened < streams; opened++) this.#open(connect(Number(port), hostname), request);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(socket: Socket, request: string): void {
    this.#sockets.push(socket);
    socket.setEncoding("utf8").on("error", () => {});
    socket.write(request);
    socket.on("data", (text: string) => {
      if (text.includes("event: connected")) this.begun++;
      const code = /"appCode":"(\w+)"/.exec(text)?.[1];
      if (code) this.ends.push(code);
    });
  }
}
