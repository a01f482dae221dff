import { describe, expect, test } from "vitest";
import { counted, formatBytes, formatCount, pluralOf } from "#shared/format.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { describeRoom, findNoRoom } from "#shared/upload-room.ts";

const MB = 1024 * 1024;

test("counts are grouped in the Indian way, and nouns follow them", () => {
  expect(formatCount(1_200_000)).toBe("12,00,000");
  expect(counted(1, "page")).toBe("1 page");
  expect(counted(0, "page")).toBe("0 pages");
  expect(counted(1200, "copy")).toBe("1,200 copies");
  expect(pluralOf("sheet")).toBe("sheets");
});

test.each([
  [1, "1 kB"],
  [1023, "1 kB"],
  [1536, "2 kB"],
  [1_500_000, "1.4 MB"],
  [1024 ** 3 * 1.25, "1.3 GB"],
  [1024 ** 4, "1,024 GB"],
])("%i bytes are %s: kilobytes without decimals, more with at most one", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("a value that is made on first use is made once", () => {
  const made: object[] = [];
  const value = onFirstUse(() => {
    made.push({});
    return made;
  });
  expect(made).toHaveLength(0);
  expect(value()).toBe(value());
  expect(made).toHaveLength(1);
});

describe("the room for files that are not ordered", () => {
  test("is mentioned from 60 percent on", () => {
    expect(describeRoom({ usedBytes: 60 * MB - 1, maxBytes: 100 * MB })).toBeNull();
    expect(describeRoom({ usedBytes: 60 * MB, maxBytes: 100 * MB })).toBe(
      "Your files that are not ordered yet take 60 MB of 100 MB. Remove files that you do not need or place your order to make room; what is not ordered within a day is deleted",
    );
  });

  test("takes a file that fits exactly, and no larger one", () => {
    const room = { usedBytes: 90 * MB, maxBytes: 100 * MB };
    expect(findNoRoom("a.pdf", 10 * MB, room)).toBeNull();
    expect(findNoRoom("a.pdf", 10 * MB + 1, room)).toContain(
      "There is no room for “a.pdf” (10 MB): files that are not ordered yet may take 100 MB, and 10 MB of it are left. Remove",
    );
  });

  test.each([
    [0, "none is left"],
    [1023, "none is left"],
    [1024, "1 kB of it are left"],
    [-5, "none is left"],
  ])("with %i bytes left says: %s", (left, words) => {
    expect(findNoRoom("a.pdf", MB, { usedBytes: 10 * MB - left, maxBytes: 10 * MB })).toContain(
      `and ${words}. `,
    );
  });
});
