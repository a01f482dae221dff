import { existsSync } from "node:fs";
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// node scripts/compress.ts [FOLDER]: writes a `.gz` and a `.br` beside every text file of the front ends in FOLDER, or in
// dist, that has none yet, so that the server never compresses them. `npm start` serves meanwhile; whatever is not there
// yet is sent as it is. One file at a time, because the server has more urgent work.

const COMPRESSIBLE = new Set([
  ".js",
  ".mjs",
  ".css",
  ".svg",
  ".json",
  ".webmanifest",
  ".txt",
  ".xml",
  ".ico",
]);
const MIN_BYTES = 512;

const [folder = resolve(import.meta.dirname, "../dist")] = process.argv.slice(2);
const files = await textFiles();
for (const { path } of files)
  await write(`${path}.gz`, path, (content) => promisify(gzip)(content, { level: 9 }));
for (const { path } of files) await write(`${path}.br`, path, brotli);

/** Those that are worth compressing, smallest first: most pages need several of these, and few a large one. */
async function textFiles(): Promise<{ path: string; bytes: number }[]> {
  const found = [];
  for (const part of ["client", "admin"]) {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
      const path = join(entry.parentPath, entry.name);
      const { size: bytes } = await stat(path);
      if (bytes >= MIN_BYTES) found.push({ path, bytes });
    }
  }
  return found.sort((one, other) => one.bytes - other.bytes);
}

/** Writes `target` in one step: the server may be sending files of this folder. */
async function write(
  target: string,
  source: string,
  compress: (content: Buffer) => Promise<Buffer>,
): Promise<void> {
  if (existsSync(target)) return;
  const unfinished = `${target}.${process.pid}`;
  await writeFile(unfinished, await compress(await readFile(source)));
  await rename(unfinished, target);
}

function brotli(content: Buffer): Promise<Buffer> {
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality(content.length),
  };
  return promisify(brotliCompress)(content, { params });
}

/** Of large files the best quality would take half a minute, for 2 % fewer bytes. */
function brotliQuality(bytes: number): number {
  if (bytes > 2_000_000) return 9;
  return bytes > 450_000 ? 10 : constants.BROTLI_MAX_QUALITY;
}
