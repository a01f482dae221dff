import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { PdfPool } from "#server/files/pdf/inspector.ts";
import { decompressionBomb, rawPicturePdf, slowPdf } from "../factories/pdfs.hostile.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { tempFolder } from "../setup/temporary.ts";

const LIMIT_MS = 10_000;

const pool = new PdfPool();
afterAll(() => pool.close());

async function stored(bytes: Uint8Array): Promise<string> {
  const path = join(await tempFolder(), "upload.part");
  await writeFile(path, bytes);
  return path;
}

test("copies pages that waited behind a broken document, in the right order", async () => {
  const bomb = await stored(await decompressionBomb());
  const path = await stored(plainPdf(20));
  const target = await stored(plainPdf(50));
  const [broken, pages] = await Promise.all([
    pool.run({ task: "inspect", input: { path: bomb } }, { limitMs: LIMIT_MS }),
    pool.run({ task: "copyPages", input: { path, pages: [4, 9], target } }, { limitMs: LIMIT_MS }),
  ]);
  expect([broken, pages]).toEqual([null, 52]);
});

test("cancels jobs nobody waits for, started or not, and completes the others", async () => {
  const slow = await stored(slowPdf(100));
  const path = await stored(plainPdf(3));
  const leaving = new AbortController();
  const inspect = (document: string, signal?: AbortSignal) =>
    pool.run({ task: "inspect", input: { path: document } }, { limitMs: LIMIT_MS, signal });
  const outcomes = Promise.allSettled([
    inspect(slow, leaving.signal),
    inspect(slow, leaving.signal),
    inspect(slow, leaving.signal),
    inspect(path),
  ]);
  await wait(500);
  leaving.abort(new Error("left"));
  const left = { status: "rejected", reason: { code: "BAD_REQUEST", cause: { message: "left" } } };
  expect(await outcomes).toMatchObject([
    left,
    left,
    left,
    { status: "fulfilled", value: { ok: true, pages: 3 } },
  ]);
});

test("a worker whose memory a document has made large gets no other one, and one that stayed small does", async () => {
  const started = vi.fn();
  process.on("worker", started);
  onTestFinished(() => void process.off("worker", started));
  const own = new PdfPool();
  onTestFinished(() => own.close());
  const [small, large] = [await stored(plainPdf(1)), await stored(rawPicturePdf())];
  const check = (path: string) =>
    own.run({ task: "checkPages", input: { path, firstPage: 1, limitMs: LIMIT_MS } }, { limitMs: 60_000 });
  for (const path of [small, large]) expect(await check(path)).toMatchObject({ lastPage: 1 });
  expect(started).toHaveBeenCalledTimes(1);
  expect(await check(small)).toMatchObject({ lastPage: 1 });
  expect(started).toHaveBeenCalledTimes(2);
});

test("a copy without a password has all pages, or the file is refused, however little time there is", async () => {
  const path = await stored(await encryptedPdf(1001, "AES-128", { user: "roll-0042" }));
  const unlock = (target: string, limitMs: number) =>
    pool.run(
      { task: "unlock", input: { path, target, password: "roll-0042", limitMs } },
      { limitMs: 10 * LIMIT_MS },
    );
  const inspect = (copy: string) =>
    pool.run({ task: "inspect", input: { path: copy } }, { limitMs: LIMIT_MS });
  let copy: unknown;
  for (let limitMs = 0.5; !copy; limitMs *= 1.5) {
    const target = join(await tempFolder(), "copy.pdf");
    const unlocked = await unlock(target, limitMs);
    if (unlocked?.ok) copy = await inspect(target);
    else expect(unlocked).toEqual({ ok: false, reason: "too-complex" });
  }
  expect(copy).toMatchObject({ ok: true, pages: 1001 });
});
