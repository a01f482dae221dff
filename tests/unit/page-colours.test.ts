import { describe, expect, test } from "vitest";
import { type ColouredFile, colourText, countColours } from "#shared/page-colours.ts";

const file = (changes: Partial<ColouredFile> = {}): ColouredFile => ({
  pages: 32,
  pageRanges: null,
  colourPages: "3, 7-9",
  colourCheckedPages: 32,
  ...changes,
});

describe("the colour summary", () => {
  test.each<[string, ColouredFile[], string | null]>([
    ["some pages of a file", [file()], "4 of 32 pages are in colour"],
    ["one page of a file", [file({ colourPages: "3" })], "1 of 32 pages is in colour"],
    ["no page of a file", [file({ colourPages: "" })], "None of the 32 pages is in colour"],
    ["every page of a file", [file({ pages: 2, colourPages: "1-2" })], "All 2 pages are in colour"],
    ["the only page", [file({ pages: 1, colourPages: "1", colourCheckedPages: 1 })], "The page is in colour"],
    [
      "the only page, which is grey",
      [file({ pages: 1, colourPages: "", colourCheckedPages: 1 })],
      "The page is not in colour",
    ],
    [
      "two files",
      [file(), file({ pages: 10, colourPages: "1-4", colourCheckedPages: 10 })],
      "8 of 42 pages are in colour",
    ],
    ["chosen pages only", [file({ pageRanges: "1-8, 20" })], "3 of 9 pages are in colour"],
    ["no chosen page", [file({ pageRanges: "10-20" })], "None of the 11 pages is in colour"],
    [
      "some of the pages that were looked at",
      [file({ colourCheckedPages: 9 })],
      "At least 4 pages are in colour; only 9 of 32 pages could be looked at",
    ],
    [
      "one of the pages that were looked at",
      [file({ colourPages: "2", colourCheckedPages: 9 })],
      "At least 1 page is in colour; only 9 of 32 pages could be looked at",
    ],
    [
      "none of the pages that were looked at",
      [file({ colourPages: "", colourCheckedPages: 9 })],
      "No colour was found; only 9 of 32 pages could be looked at",
    ],
    [
      "chosen pages, all of them among those that were looked at",
      [file({ pageRanges: "1-9", colourCheckedPages: 9 })],
      "4 of 9 pages are in colour",
    ],
    ["chosen pages of which none was looked at", [file({ pageRanges: "20-", colourCheckedPages: 9 })], null],
    ["a file that could not be looked at", [file({ colourPages: "", colourCheckedPages: 0 })], null],
    ["a file that is not looked at yet", [file({ colourPages: null, colourCheckedPages: null })], null],
    ["no file", [], null],
  ])("of %s is correct", (_what, files, text) => {
    expect(colourText(countColours(files))).toBe(text);
  });

  test("is pending until every file has been checked", () => {
    expect(countColours([file(), file()]).isPending).toBe(false);
    expect(countColours([file(), file({ colourPages: null, colourCheckedPages: null })]).isPending).toBe(
      true,
    );
    expect(countColours([file({ colourPages: "", colourCheckedPages: 0 })]).isPending).toBe(false);
  });
});
