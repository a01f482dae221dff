import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tempFolder } from "../setup/temporary.ts";

const SCRIPT = resolve("scripts/compress.ts");

test("text files of the front ends are compressed once, and small files and pictures are not", async () => {
  const dist = await tempFolder();
  const text = "const price = 1;\n".repeat(100);
  const files = {
    "client/assets/app.js": text,
    "client/tiny.txt": "few",
    "client/photo.webp": text,
    "admin/a.css": text,
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(dist, path, ".."), { recursive: true });
    await writeFile(join(dist, path), content);
  }

  await promisify(execFile)(process.execPath, [SCRIPT, dist]);
  expect((await readdir(dist, { recursive: true })).filter((path) => /\.(gz|br)/.test(path)).sort()).toEqual([
    "admin/a.css.br",
    "admin/a.css.gz",
    "client/assets/app.js.br",
    "client/assets/app.js.gz",
  ]);
  const script = join(dist, "client/assets/app.js");
  expect(brotliDecompressSync(await readFile(`${script}.br`)).toString()).toBe(text);
  expect(gunzipSync(await readFile(`${script}.gz`)).toString()).toBe(text);

  const before = await stat(`${script}.br`);
  await promisify(execFile)(process.execPath, [SCRIPT, dist]);
  expect((await stat(`${script}.br`)).ino).toBe(before.ino);
});
