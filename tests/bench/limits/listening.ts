import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Answers requests over bare node:http, and says on a line where it is `open at`. */
export function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const server = createServer((request, response) => {
    // Whoever sends goes away in the middle of a request when a run is over.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", () => {
    console.log(`open at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

/** Answers orders with their ids; of each only the id of its file is looked at. */
export function listenForOrders(place: (fileId: string) => string | Promise<string>): void {
  listen(async (request, response) => {
    const { orderData } = JSON.parse(await text(request));
    const fileId = String(orderData.filesUrl[0]).split("/").at(-1) ?? "";
    response.end(JSON.stringify({ id: await place(fileId) }));
  });
}
