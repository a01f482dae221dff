import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

// The limit of uploads: bare node:http that writes what is put into a file of the folder given, hashing it on the way.

const [folder = "."] = process.argv.slice(2);

const server = createServer((request, response) => {
  // Whoever sends goes away in the middle of a request when a run is over.
  receive(request, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  console.log(`open at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hash = createHash("sha256");
  request.on("data", (chunk: Buffer) => hash.update(chunk));
  await pipeline(request, createWriteStream(join(folder, randomUUID())));
  response.end(JSON.stringify({ sha256: hash.digest("hex") }));
}
