import { expect, test } from "vitest";
import { gridlinesFor, shortMeasureText } from "#admin/features/stats/measures.ts";

test("a chart's gridlines are round numbers from zero to at least the highest bar", () => {
  expect(gridlinesFor("orders", 0)).toEqual([0, 1]);
  expect(gridlinesFor("orders", 3)).toEqual([0, 1, 2, 3]);
  expect(gridlinesFor("orders", 8)).toEqual([0, 2, 4, 6, 8]);
  expect(gridlinesFor("pages", 4_100)).toEqual([0, 2_000, 4_000, 6_000]);
  expect(gridlinesFor("revenue", 30)).toEqual([0, 100]);
  expect(gridlinesFor("revenue", 123_456)).toEqual([0, 50_000, 100_000, 150_000]);
});

test("a chart's axis has rupees, not paise, in short form", () => {
  expect(shortMeasureText("revenue", 12_000_000)).toBe("₹1.2L");
  expect(shortMeasureText("pages", 120_000)).toBe("1.2L");
});
