import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { createPendingRows } from "#server/files/storage/pending-uploads.ts";
import { createUploadThingStore } from "#server/files/storage/uploadthing.ts";
import { createLog } from "#server/lib/log.ts";

/** Stores 90 MB at UploadThing and reads them, and prints the growth of the process at its peak, in bytes. */
const [folder = ""] = process.argv.slice(2);
const MB = 1024 * 1024;
const { uploadThing } = readConfig(process.env);
if (!uploadThing) throw new Error("no settings");
const { db } = await openDatabase(`file:${folder}/store.sqlite`);
await migrate(db);
const pending = createPendingRows({ db, now: () => new Date() });
const store = await createUploadThingStore(folder, uploadThing, { pending, log: createLog("silent") });

async function keep(key: string, chunks: number): Promise<void> {
  async function* body() {
    for (let chunk = 0; chunk < chunks; chunk++) yield Buffer.alloc(MB / 4, chunk);
  }
  const staged = await store.stage(Readable.from(body(), { objectMode: false }), { key, maxBytes: 100 * MB });
  await staged.commit(async () => {});
  await staged.discard();
}

async function read(key: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of await store.read(key)) bytes += chunk.length;
  return bytes;
}

// What every upload needs once does not grow with its size.
await keep("warm-up-0", 40);
await read("warm-up-0");
await store.remove("warm-up-0");
const before = process.memoryUsage.rss();
let peak = before;
const watch = new AbortController();
const watching = (async () => {
  while (!watch.signal.aborted) {
    peak = Math.max(peak, process.memoryUsage.rss());
    await setTimeout(5);
  }
})();

await keep("ninety-megabytes", 360);
const total = await read("ninety-megabytes");
const lent = await store.withLocalFile("ninety-megabytes", async (path) => (await stat(path)).size);
watch.abort();
await watching;
console.log(JSON.stringify({ grown: peak - before, read: total, lent }));
