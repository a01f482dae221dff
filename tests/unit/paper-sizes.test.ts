import { expect, onTestFinished, test, vi } from "vitest";
import {
  flipText,
  paperNamed,
  paperOf,
  sizeName,
  sizeNote,
  sizeNotesOf,
  sizeQuestion,
  writePageSizes,
} from "#shared/paper-sizes.ts";

test.each([
  ["A4", "A4"],
  ["a3 landscape", "A3"],
  ["A5 paper (148 × 210 mm)", "A5"],
  ["US Letter", "Letter"],
  ["Legal size", "Legal"],
  ["A4 sheet", "A4"],
  ["A4 sheets", "A4"],
  ["A4(210 × 297)landscape", "A4"],
  ["A4 or A3", null],
  ["Big", null],
  ["A40", null],
  ["", null],
])("reads the option %j as %s", (option, paper) => {
  expect(paperNamed(option)).toBe(paper);
  expect(paperOf([{ kind: "paperSizes", name: option }])).toBe(paper);
});

test("takes the paper of a job from its paper size and from no other option", () => {
  const type = { kind: "paperTypes", name: "A3" } as const;
  expect(paperOf([type, { kind: "paperSizes", name: "A4" }])).toBe("A4");
  expect(paperOf([type])).toBeNull();
});

test.each([
  ["A4", 595, 842],
  ["A4", 841.89, 595.28],
  ["A4", 603, 835],
  ["A3", 842, 1191],
  ["Letter", 612, 792],
  ["Legal", 1008, 612],
  ["another size", 604, 842],
  ["another size", 960, 540],
  ["another size", 0, 0],
])("calls a page %s that is %d × %d points", (name, width, height) => {
  expect(sizeName({ width, height })).toBe(name);
});

const A4 = { width: 595, height: 842 };
const PLAIN = { pagesPerSide: 1 } as const;

test("writes the pages of each size as ranges", () => {
  const sizes = [A4, A4, { width: 1191, height: 842 }, A4];
  expect(JSON.parse(writePageSizes(sizes))).toEqual({ A4: "1-2, 4", A3: "3", wide: "3" });
  expect(JSON.parse(writePageSizes([{ width: 500, height: 500 }]))).toEqual({ "another size": "1" });
});

test.each([
  ["nothing of pages that stand", 1, ["1-2"], null],
  ["of pages that lie", 1, ["3-4"], "Flip on short edge"],
  ["of both", 1, ["2-3"], "Short edge for pages that lie, long edge for others"],
  ["of files of which one has nothing to print", 1, ["none", "4"], "Flip on short edge"],
  ["of two on a side, which lie where the pages stand", 2, ["1-2"], "Flip on short edge"],
  ["nothing of four on a side", 4, ["1-4"], null],
] as const)("says how two-sided prints are turned over: %s", (_what, pagesPerSide, ranges, text) => {
  const pageSizes = writePageSizes([A4, A4, { width: 842, height: 595 }, { width: 960, height: 540 }]);
  const files = ranges.map((pageRanges) => ({ pages: 4, pageRanges, pageSizes }));
  expect(flipText(files, { pagesPerSide, hasFrames: false, isBooklet: false })).toBe(text);
  const isBooklet = { pagesPerSide: 2, hasFrames: false, isBooklet: true } as const;
  expect(flipText(files, isBooklet)).toBeNull();
});

test("several pages on a side lie as most printed pages of their file ask for, if it is printed at all", () => {
  const slide = { width: 960, height: 540 };
  const file = (sizes: (typeof A4)[], pageRanges: string | null = null) => ({
    ...{ pages: sizes.length, pageRanges, pageSizes: writePageSizes(sizes) },
  });
  const flip = (pagesPerSide: 2 | 4, ...files: ReturnType<typeof file>[]) =>
    flipText(files, { pagesPerSide, hasFrames: false, isBooklet: false });
  const [slides, half, text] = [file([slide, slide, A4]), file([slide, A4]), file([A4, A4])];
  expect([flip(4, slides), flip(4, half), flip(4, text)]).toEqual(["Flip on short edge", null, null]);
  expect([flip(2, slides), flip(2, half), flip(2, text)]).toEqual([
    ...[null, "Flip on short edge", "Flip on short edge"],
  ]);
  expect(flip(4, slides, text)).toBe("Short edge for pages that lie, long edge for others");
  expect(flip(4, { ...slides, pageRanges: "none" }, text)).toBeNull();
  const mixed = [A4, A4, A4, slide, slide];
  expect([flip(4, file(mixed, "4-5")), flip(2, file(mixed, "4-5"))]).toEqual(["Flip on short edge", null]);
  expect([flip(4, file(mixed, "3-4")), flip(2, file(mixed, "3-4"))]).toEqual([null, "Flip on short edge"]);
});

test("says nothing of another size for pages that only lie", () => {
  const pageSizes = writePageSizes([{ width: 842, height: 595 }]);
  expect(sizeNote([{ pages: 1, pageRanges: null, pageSizes }], PLAIN, "A4")).toBeNull();
});

test.each([
  ["other sizes among the pages to print", [{}], "A4", "3 of 12 pages are not A4: A3, Letter"],
  ["a single one", [{ pageRanges: "1-11" }], "A4", "1 of 11 pages is not A4: A3"],
  ["the only page", [{ pageRanges: "11" }], "A4", "1 of 1 page is not A4: A3"],
  ["pages for larger paper", [{ pageRanges: "1-2" }], "A3", "2 of 2 pages are not A3: A4"],
  [
    "all files of the job",
    [{ pageRanges: "1" }, { pageRanges: "12" }],
    "A4",
    "1 of 2 pages is not A4: Letter",
  ],
  ["nothing where only pages of that size are printed", [{ pageRanges: "1-10" }], "A4", undefined],
  ["nothing where no page of a file is printed", [{ pageRanges: "none" }], "A4", undefined],
] as const)("says of the sizes of pages: %s", (_what, files, paper, text) => {
  const pageSizes = JSON.stringify({ A4: "1-9, 10", A3: "11", Letter: "12" });
  const printed = files.map((file) => ({ pages: 12, pageRanges: null, pageSizes, ...file }));
  const sized = printed.map((file) => ({
    ...file,
    pageSizes: text?.startsWith("3") ? JSON.stringify({ A4: "1-9", A3: "10-11", Letter: "12" }) : pageSizes,
  }));
  expect(sizeNote(sized, PLAIN, paper)?.text).toBe(text);
});

test("says it of each job of an order, by the pages and the paper of that job", () => {
  const files = [{ pages: 2, pageRanges: null, pageSizes: '{"A4":"1","A3":"2"}' }];
  const job = (pages: string) => ({ ...PLAIN, hasFrames: false, isBooklet: false, pageRanges: [pages] });
  const paper = (name: string) => [{ kind: "paperSizes", name } as const];
  const notes = sizeNotesOf(files, [job("1"), job("1"), job("2")], [paper("A4"), paper("A3"), paper("A4")]);
  expect(notes.map((note) => note?.text)).toEqual([
    undefined,
    "1 of 1 page is not A3: A4",
    "1 of 1 page is not A4: A3",
  ]);
});

test("reads the sizes of a file once for all jobs of an order, and not where nothing of it is printed", () => {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const files = ["2", "3"].map((a3) => ({
    pages: 9,
    pageRanges: null,
    pageSizes: `{"A4":"1","A3":"${a3}"}`,
  }));
  const job = { ...PLAIN, hasFrames: false, isBooklet: false, pageRanges: ["2", "none"] };
  const jobs = Array.from({ length: 20 }, () => job);
  const notes = sizeNotesOf(
    files,
    jobs,
    jobs.map(() => [{ kind: "paperSizes", name: "A4" }]),
  );
  expect(notes.every((note) => note?.count === 1)).toBe(true);
  expect(parse).toHaveBeenCalledTimes(1);
});

test("asks nothing where the paper is not known, or several pages share a side", () => {
  const files = [{ pages: 1, pageRanges: null, pageSizes: '{"A3":"1"}' }];
  expect(sizeNote(files, PLAIN, null)).toBeNull();
  expect(sizeNote(files, { pagesPerSide: 2 }, "A4")).toBeNull();
});

test("asks the student what to do", () => {
  expect(sizeQuestion({ text: "1 of 2 pages is not A4: A3", paper: "A4", count: 1 })).toBe(
    "1 of 2 pages is not A4: A3. Shall we fit it to A4? Or send another file, or choose another paper size",
  );
});
