import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { listen } from "./listening.ts";

// The limit of uploads: bare node:http that writes a PUT body to a file in the given folder and hashes it.

const [folder = "."] = process.argv.slice(2);

listen(receive);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hash = createHash("sha256");
  request.on("data", (chunk: Buffer) => hash.update(chunk));
  await pipeline(request, createWriteStream(join(folder, randomUUID())));
  response.end(JSON.stringify({ sha256: hash.digest("hex") }));
}
