import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);
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

/** Writes a `.br` and a `.gz` beside every text file of the client build, so that the server never compresses them. */
export function precompress(): Plugin {
  return {
    name: "print-store:precompress",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    async writeBundle({ dir }) {
      if (!dir) return;
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)));
      await Promise.all(files.map((file) => compressFile(join(file.parentPath, file.name))));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality(content.length),
  };
  await Promise.all([
    brotli(content, { params }).then((compressed) => writeFile(`${path}.br`, compressed)),
    promisify(gzip)(content, { level: 9 }).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
}

/** Of large files the best quality would take half of the build's time, for 2 % fewer bytes. */
function brotliQuality(bytes: number): number {
  if (bytes > 2_000_000) return 9;
  return bytes > 450_000 ? 10 : constants.BROTLI_MAX_QUALITY;
}
