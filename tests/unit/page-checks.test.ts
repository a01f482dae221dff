import { expect, test } from "vitest";
import { pageNotes, rangesWithoutBlank } from "#shared/page-checks.ts";

function file(more: Partial<Parameters<typeof pageNotes>[0]> = {}) {
  return { pages: 10, pageRanges: null, pageSizes: '{"A4":"1-10"}', blankPages: "", edgePages: "", ...more };
}

test.each([
  ["nothing of a file that is not checked yet", { blankPages: null, edgePages: null }, []],
  ["nothing of a file without findings", {}, []],
  ["one blank page", { blankPages: "4" }, ["Page 4 is blank"]],
  ["several blank pages", { blankPages: "4, 6-7" }, ["3 blank pages: 4, 6-7"]],
  ["a file that is all blank", { blankPages: "1-10" }, ["Every page is blank"]],
  ["no blank page that is not printed", { blankPages: "4, 6-7", pageRanges: "1-5" }, ["Page 4 is blank"]],
  [
    "all of eight runs",
    { pages: 20, blankPages: "1, 3, 5, 7, 9, 11, 13, 15-16" },
    ["9 blank pages: 1, 3, 5, 7, 9, 11, 13, 15-16"],
  ],
  [
    "the first eight of more runs",
    { pages: 20, blankPages: "1, 3, 5, 7, 9, 11, 13, 15-16, 18" },
    ["10 blank pages: 1, 3, 5, 7, 9, 11, 13, 15-16 and more"],
  ],
  [
    "other sizes",
    { pageSizes: '{"A4":"1, 4-10","A3":"2","Letter":"3"}' },
    ["Pages 2-3: not A4, so the size on paper may differ"],
  ],
  ["a file of slides", { pageSizes: '{"another size":"1-10"}' }, ["Not A4, so the size on paper may differ"]],
  ["the edge", { edgePages: "8" }, ["Page 8: text is so near to the edge that printers may cut it"]],
  [
    "several edges",
    { edgePages: "8, 10" },
    ["Pages 8, 10: text is so near to the edge that printers may cut it"],
  ],
  [
    "all edges",
    { edgePages: "1-10" },
    ["On every page text is so near to the edge that printers may cut it"],
  ],
  [
    "the edge of the only page to print",
    { edgePages: "8", pageRanges: "8" },
    ["On the page text is so near to the edge that printers may cut it"],
  ],
  ["that the only page to print is blank", { blankPages: "4", pageRanges: "4" }, ["The page is blank"]],
])("says %s", (_what, found, notes) => {
  expect(pageNotes(file(found), "A4")).toEqual(notes);
});

test("says what is not as large as the chosen paper, and nothing where that is not known", () => {
  const sizes = file({ pageSizes: '{"A4":"1-9","A5":"10"}' });
  expect(pageNotes(sizes, "A5")).toEqual(["Pages 1-9: not A5, so the size on paper may differ"]);
  expect(pageNotes(sizes, null)).toEqual([]);
});

test.each([
  ["blank pages from all pages", { blankPages: "4, 6-7" }, "1-3, 5, 8-10"],
  ["blank pages from chosen ones", { blankPages: "4, 6-7", pageRanges: "3-6" }, "3, 5"],
  ["nothing where no chosen page is blank", { blankPages: "4", pageRanges: "1-3" }, null],
  ["not all pages of a blank file", { blankPages: "1-10" }, null],
  ["nothing before the check", { blankPages: null }, null],
])("leaves out %s", (_what, found, ranges) => {
  expect(rangesWithoutBlank(file(found))).toBe(ranges);
});
