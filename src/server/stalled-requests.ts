import type { IncomingMessage, Server } from "node:http";

/** Ends a request of which nothing has come for `pauseMs`, up to twice that, before it was whole. */
export function endStalledRequests(server: Server, pauseMs: number): void {
  server.prependListener("request", (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    let seen = socket.bytesRead;
    const watch = setInterval(() => {
      if (request.complete) return clearInterval(watch);
      if (socket.bytesRead === seen) request.destroy();
      seen = socket.bytesRead;
    }, pauseMs);
    watch.unref();
    request.once("close", () => clearInterval(watch));
  });
}

/** Without one of these headers a request is whole once its headers are. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}
