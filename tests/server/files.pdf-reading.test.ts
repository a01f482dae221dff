import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRangedFile } from "#server/files/pdf/engine.ts";
import { tempFolder } from "../setup/temporary.ts";

const BYTES = 50_000;

async function openFileOf(content: Uint8Array) {
  const path = join(await tempFolder(), "ranges.part");
  await writeFile(path, content);
  const file = openRangedFile(path);
  onTestFinished(() => file.close());
  return file;
}

/** Ranges of all sizes, adjacent and random ones, some beyond the end. */
function* manyRanges(): Generator<{ from: number; length: number }> {
  let end = 0;
  for (let turn = 0; turn < 5000; turn++) {
    const from = turn % 3 === 0 ? (turn * 7919) % BYTES : Math.max(0, end - (turn % 5));
    const length = turn % 97 === 0 ? 6000 : (turn * 31) % 700;
    yield { from, length };
    end = (from + length) % BYTES;
  }
}

describe("a file read by byte ranges", () => {
  test("returns each range as it is in the file, and none that is incomplete", async () => {
    const content = randomBytes(BYTES);
    const file = await openFileOf(content);
    expect(file.bytes).toBe(BYTES);
    for (const { from, length } of manyRanges()) {
      const target = Buffer.alloc(length);
      const isThere = from + length <= BYTES;
      expect(file.read(target, from), `${length} bytes from ${from}`).toBe(isThere);
      if (isThere) expect(target.equals(content.subarray(from, from + length))).toBe(true);
    }
  });

  test("does not mix its ranges with those of another open file", async () => {
    const [one, two] = [await openFileOf(Buffer.alloc(BYTES, 1)), await openFileOf(Buffer.alloc(BYTES, 2))];
    for (const [file, byte] of [
      [one, 1],
      [two, 2],
      [one, 1],
    ] as const) {
      const target = Buffer.alloc(10);
      file.read(target, 105);
      expect(target).toEqual(Buffer.alloc(10, byte));
    }
  });
});
