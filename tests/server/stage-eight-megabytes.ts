import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { createDiskStore } from "#server/files/storage/file-store.ts";

/** Stages 8 MB in the named folder, and prints the error code and the files left. */
const [folder = ""] = process.argv.slice(2);
const MB = 1024 * 1024;
const store = await createDiskStore(folder);
const body = Readable.from(Array.from({ length: 8 }, () => Buffer.alloc(MB)));
const code = await store.stage(body, { key: "eight-megabytes", maxBytes: 100 * MB }).then(
  () => null,
  (error: NodeJS.ErrnoException) => error.code,
);
const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const left = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
console.log(JSON.stringify({ code, left }));
