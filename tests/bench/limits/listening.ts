import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Serves requests with bare node:http, and prints `open at` with its address. */
export function listen(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const server = createServer((request, response) => {
    // The client disconnects in the middle of a request at the end of a run.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", () => {
    console.log(`open at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

/** Responds to orders with their ids; it only reads the id of the order's file. */
export function listenForOrders(place: (fileId: string) => string | Promise<string>): void {
  listen(async (request, response) => {
    const { orderData } = JSON.parse(await text(request));
    const fileId = String(orderData.filesUrl[0]).split("/").at(-1) ?? "";
    response.end(JSON.stringify({ id: await place(fileId) }));
  });
}
