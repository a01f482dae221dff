import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { counted, formatBytes, formatCount, pluralOf } from "#shared/format.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { quotaProblem, quotaText } from "#shared/upload-quota.ts";

const MB = 1024 * 1024;

test("counts are grouped in the Indian way, and nouns follow them", () => {
  expect(formatCount(1_200_000)).toBe("12,00,000");
  expect(counted(1, "page")).toBe("1 page");
  expect(counted(0, "page")).toBe("0 pages");
  expect(counted(1200, "copy")).toBe("1,200 copies");
  expect(pluralOf("sheet")).toBe("sheets");
  const words = new Intl.NumberFormat("en-IN");
  fc.assert(fc.property(fc.maxSafeInteger(), (count) => formatCount(count) === words.format(count)));
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

describe("the quota for files not yet ordered", () => {
  test("is mentioned from 60 percent on", () => {
    expect(quotaText({ usedBytes: 60 * MB - 1, maxBytes: 100 * MB })).toBeNull();
    expect(quotaText({ usedBytes: 60 * MB, maxBytes: 100 * MB })).toBe(
      "Your files not yet ordered use 60 MB of 100 MB. Remove files you do not need or place your order to free up space. Files not ordered within a day are deleted",
    );
  });

  test("takes a file that fits exactly, and no larger one", () => {
    const quota = { usedBytes: 90 * MB, maxBytes: 100 * MB };
    expect(quotaProblem("a.pdf", 10 * MB, quota)).toBeNull();
    expect(quotaProblem("a.pdf", 10 * MB + 1, quota)).toContain(
      "“a.pdf” (10 MB) does not fit: files not yet ordered may use 100 MB, and 10 MB is left. Remove",
    );
  });

  test.each([
    [0, "nothing is left"],
    [1023, "nothing is left"],
    [1024, "1 kB is left"],
    [-5, "nothing is left"],
  ])("with %i bytes left says: %s", (left, words) => {
    expect(quotaProblem("a.pdf", MB, { usedBytes: 10 * MB - left, maxBytes: 10 * MB })).toContain(
      `and ${words}. `,
    );
  });
});
