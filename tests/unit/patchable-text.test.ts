import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PatchableText } from "#server/pages/page-cache.ts";

const NONCE = "Tk9OQ0U-bWFyay1ub25jZQ";
const TIME = "u:1700000000000";
const MARKS = [NONCE, TIME];
const PATCHES = { [NONCE]: "a-quite-other-nonce-22", [TIME]: "u:1800000000000" };

const replaced = (text: string) =>
  text.replaceAll(NONCE, PATCHES[NONCE] ?? "").replaceAll(TIME, PATCHES[TIME] ?? "");

test("a copy reads as the text with its marks replaced, packed and plain, wherever they stand", async () => {
  const piece = fc.oneof(
    fc.constantFrom(...MARKS),
    fc.string({ unit: "binary", minLength: 500, maxLength: 2000 }).map((long) => long.toWellFormed()),
    fc.string({ unit: "grapheme" }),
    fc.constant('<p class="x">'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const text = pieces.join("");
      const patchable = await PatchableText.make(text, MARKS);
      expect(patchable.plain(PATCHES).toString()).toBe(replaced(text));
      expect(gunzipSync(patchable.gzipped(PATCHES)).toString()).toBe(replaced(text));
    }),
    { numRuns: 100 },
  );
});

test("a text may hold any character, also where it repeats what stands behind a mark", async () => {
  const text = `${NONCE}<p>Sixty pages</p>\u0001<p>Sixty pages</p>${TIME}<b>Two copies</b>\u0002<b>Two copies</b>`;
  const patchable = await PatchableText.make(text, MARKS);
  expect(gunzipSync(patchable.gzipped(PATCHES)).toString()).toBe(replaced(text));
});

test("each copy is its own: what is written into one is in no other", async () => {
  const patchable = await PatchableText.make(`<script nonce="${NONCE}">`.repeat(50), MARKS);
  const first = patchable.gzipped(PATCHES);
  const plain = patchable.plain(PATCHES);
  patchable.gzipped({ [NONCE]: "the-nonce-of-the-other" });
  expect(gunzipSync(first).equals(plain)).toBe(true);
  expect(plain.toString()).toContain("a-quite-other-nonce-22");
});

test("a copy that was taken back is written anew, and none that is still on its way", async () => {
  const patchable = await PatchableText.make(`<script nonce="${NONCE}">${TIME}`.repeat(50), MARKS);
  const onItsWay = patchable.gzipped({ [NONCE]: "the-nonce-of-the-other", [TIME]: "u:1800000000000" });
  const sent = patchable.gzipped(PATCHES);
  patchable.takeBack(sent);
  const later = { [NONCE]: "the-nonce-of-a-later-1", [TIME]: "u:1900000000000" };
  const again = patchable.gzipped(later);
  const fresh = patchable.gzipped(later);

  expect(again).toBe(sent);
  expect(again.equals(fresh)).toBe(true);
  expect(gunzipSync(again).equals(patchable.plain(later))).toBe(true);
  expect(gunzipSync(onItsWay).toString()).toContain("the-nonce-of-the-other");
});

test("repetitions are still found around the marks", async () => {
  const text = `<script nonce="${NONCE}" src="/assets/some-long-name-of-a-file.js"></script>`.repeat(30);
  const patchable = await PatchableText.make(text, MARKS);
  expect(patchable.gzipped(PATCHES).length).toBeLessThan(text.length / 1.6);
});
