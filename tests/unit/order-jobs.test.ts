import { expect, test } from "vitest";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  agreedCounts,
  agreedFiles,
  agreedJobs,
  areFilesDivided,
  commonFacts,
  countSides,
  describeParts,
  jobOf,
  layoutProblem,
  layoutText,
  type OrderJob,
  PLAIN_LAYOUT,
  pagesFact,
  partFacts,
  partsToPrint,
  writeJobs,
} from "#shared/order-jobs.ts";

const PLAIN = { pagesPerSide: 1, hasFrames: false, isBooklet: false } as const;
const FILES = [
  { name: "Thesis.pdf", pages: 19, pageRanges: null },
  { name: "Notes.pdf", pages: 4, pageRanges: "1-2" },
];

function lines(chosen: Partial<Record<OptionKind, string>> = {}) {
  return OPTION_KINDS.map((kind) => ({
    ...{ kind, name: chosen[kind] ?? kind, basis: "page" as const },
    ...{ unitPaise: 1, quantity: 1, amountPaise: 1 },
  }));
}

function orderOf(second: Partial<OrderJob> = {}) {
  const jobs: OrderJob[] = [
    { ...PLAIN, pageRanges: ["1-2, 4-6, 8-19", "1-2"] },
    { ...PLAIN, pageRanges: ["3, 7", "none"], ...second },
  ];
  const counts = [
    { pages: 19, sides: 2, sheets: 10 },
    { pages: 2, sides: 2, sheets: 1 },
  ];
  const chosen = [lines({ printedColours: "Black & White" }), lines({ printedColours: "Colour" })];
  return {
    files: FILES,
    jobs,
    counts,
    copies: 1,
    quote: { jobs: counts.map((count, at) => ({ ...count, lines: chosen[at] ?? [] })) },
  };
}

test("an order of one plain job stores nothing about it, and reads as the first of its pages", () => {
  const plain = [jobOf(FILES, PLAIN_LAYOUT)];
  expect(writeJobs(plain, [{ pages: 21, sides: 1, sheets: 21 }])).toBeNull();
  const order = { pages: 20, jobs: null, sides: 2, sheets: 11 };
  expect(agreedJobs(order, FILES)).toEqual([{ ...PLAIN, pageRanges: [null, "1"] }]);
  expect(agreedCounts(order)).toEqual([{ pages: 20, sides: 2, sheets: 11 }]);
});

test("several jobs are read as they were stored, with what each takes", () => {
  const { jobs, counts } = orderOf();
  const order = { pages: 21, jobs: writeJobs(jobs, counts), sides: 2, sheets: 11 };
  expect(agreedJobs(order, FILES)).toEqual(jobs);
  expect(agreedCounts(order)).toEqual(counts);
});

test("the parts of an order are called by what they differ in, and name their pages", () => {
  const order = orderOf();
  expect(commonFacts(order).map(({ label }) => label)).not.toContain("Printed colour");
  expect(commonFacts(order)).toHaveLength(5);
  expect(describeParts(order)).toEqual([
    {
      ...{ title: "Part 1 of 2", name: "Black & White", pages: 19, sheets: 10 },
      files: [
        { name: "Thesis.pdf", pages: "pages 1-2, 4-6, 8-19" },
        { name: "Notes.pdf", pages: "pages 1-2" },
      ],
    },
    {
      ...{ title: "Part 2 of 2", name: "Colour", pages: 2, sheets: 1 },
      files: [{ name: "Thesis.pdf", pages: "pages 3, 7" }],
    },
  ]);
  expect(partFacts(order)[1]).toEqual({
    label: "Part 2 of 2",
    value: "Colour: Thesis.pdf, pages 3, 7. Prints 2 pages on 1 sheet",
  });
});

test("the pages of a part are those of one copy and its sheets those of all, so the copies stand between them", () => {
  const { quote, ...order } = orderOf();
  const jobs = quote.jobs.map((job) => ({ ...job, sheets: 3 * job.sheets }));
  const [, second] = partFacts({ ...order, copies: 3, quote: { jobs } });
  expect(second?.value).toContain("Prints 2 pages × 3 copies on 3 sheets");
});

test("the pages of an order are those of its files, and their sides are named where several pages share one", () => {
  expect(pagesFact(1200, 1200)).toEqual({ label: "Number of pages", value: "1,200" });
  expect(pagesFact(306, 153).value).toBe("306, on 153 sides");
  expect(pagesFact(2, 1).value).toBe("2, on 1 side");
});

test("parts that differ in their layout as well say so, and what they share is said once", () => {
  const order = orderOf({ pagesPerSide: 2, hasFrames: true, isBooklet: false });
  expect(describeParts(order).map(({ name }) => name)).toEqual([
    "Black & White",
    "2 on a side, in frames, Colour",
  ]);
  const framed = orderOf({ pagesPerSide: 4 });
  const both = { ...framed, jobs: framed.jobs.map((job) => ({ ...job, pagesPerSide: 4 as const })) };
  expect(commonFacts(both)[0]).toEqual({ label: "Pages of the file", value: "4 on a side" });
});

test("parts that differ in their pages alone have no name", () => {
  const { files, jobs, quote } = orderOf();
  const alike = {
    files,
    jobs,
    copies: 1,
    quote: { jobs: quote.jobs.map((job) => ({ ...job, lines: lines() })) },
  };
  expect(partFacts(alike).map(({ value }) => value)).toEqual([
    "Thesis.pdf, pages 1-2, 4-6, 8-19; Notes.pdf, pages 1-2. Prints 19 pages on 10 sheets",
    "Thesis.pdf, pages 3, 7. Prints 2 pages on 1 sheet",
  ]);
});

test("parts share an option only if it is one of the same kind", () => {
  const { jobs, quote } = orderOf();
  const chosen = [lines({ coverOptions: "None" }), lines({ coverOptions: "Film", bindingOptions: "None" })];
  const facts = commonFacts({
    jobs,
    quote: { jobs: quote.jobs.map((job, at) => ({ ...job, lines: chosen[at] ?? [] })) },
  });
  expect(facts.map(({ label }) => label)).toEqual([
    ...["Printed colour", "Printing side", "Paper type", "Paper size"],
  ]);
});

test("an order with one job has no parts: all is said of the whole", () => {
  const { files, jobs, quote } = orderOf();
  const single = { files, jobs: jobs.slice(0, 1), copies: 1, quote: { jobs: quote.jobs.slice(0, 1) } };
  expect(commonFacts(single)).toHaveLength(6);
  expect([describeParts(single), partFacts(single)]).toEqual([[], []]);
});

test("the parts to print are named after what they differ in, be it only the layout, with their printed pages", () => {
  const { jobs, counts, quote } = orderOf({ pagesPerSide: 2 });
  const own = quote.jobs.map((job) => job.lines);
  expect(partsToPrint(writeJobs(jobs, counts), own)).toEqual([
    { name: "Black & White", pages: 19 },
    { name: "2 on a side, Colour", pages: 2 },
  ]);
  expect(partsToPrint(writeJobs(jobs, counts), [lines(), lines()]).map(({ name }) => name)).toEqual([
    "",
    "2 on a side",
  ]);
  expect(partsToPrint(writeJobs(jobs.slice(1), counts), [lines()])).toEqual([]);
  expect(partsToPrint(null, own)).toEqual([]);
});

test("an order of several jobs prints what they say, and not the first of its pages", () => {
  const { jobs, counts } = orderOf();
  const order = { pages: 2, jobs: writeJobs(jobs, counts) };
  expect(agreedFiles(order, FILES)).toEqual(FILES);
  expect(agreedFiles({ ...order, jobs: null }, FILES).map(({ pageRanges }) => pageRanges)).toEqual([
    ...["1-2", "none"],
  ]);
});

test("one job is stored where several of its pages share a side, or where it is not the only one", () => {
  const counts = { pages: 21, sides: 1, sheets: 21 };
  const shared = writeJobs([jobOf(FILES, { ...PLAIN, pagesPerSide: 2 })], [counts]);
  expect(JSON.parse(shared ?? "")).toHaveLength(1);
  const { jobs } = orderOf();
  expect(JSON.parse(writeJobs(jobs, [counts, counts]) ?? "")).toHaveLength(2);
});

test("the printed sides of jobs are those of each file, after several pages were placed on one", () => {
  const two: OrderJob = { ...PLAIN, pagesPerSide: 2, pageRanges: ["1-5", "1-3"] };
  expect(countSides(FILES, [two])).toBe(3 + 2);
  expect(countSides(FILES, [two, { ...PLAIN, pageRanges: ["6", "none"] }])).toBe(3 + 2 + 1);
  expect(countSides(FILES, [])).toBe(0);
});

test("a layout is stored with its way of reading, and tells it only where it is not the usual one", () => {
  const down = { ...PLAIN, pagesPerSide: 4, readsDown: true } as const;
  const jobs = [jobOf(FILES, down), jobOf(FILES, { ...down, hasFrames: true, readsDown: false })];
  const counts = { pages: 6, sides: 1, sheets: 6 };
  const order = { pages: 12, jobs: writeJobs(jobs, [counts, counts]) };
  const layouts = agreedJobs(order, FILES);
  expect(layouts.map(layoutText)).toEqual(["4 on a side, read down", "4 on a side, in frames"]);
  expect(layouts.map((layout) => "readsDown" in layout)).toEqual([true, false]);
});

test("a file is divided where several jobs print pages of it", () => {
  const divided = (...jobs: (string | null)[][]) =>
    areFilesDivided(jobs.map((pageRanges) => ({ ...PLAIN, pageRanges })));
  expect(divided(["1-2", null])).toBe(false);
  expect(divided([null, "none", "none"], ["none", null, "none"])).toBe(false);
  expect(divided(["1-2", "none"], ["none", "1"], ["none", "2"])).toBe(true);
});

test("a booklet needs both sides, and nothing else does", () => {
  const said = "A booklet is printed on both sides: choose that, or no booklet";
  const booklet = { ...PLAIN, isBooklet: true };
  expect([layoutProblem(booklet, 1), layoutProblem(booklet, 2), layoutProblem(PLAIN, 1)]).toEqual([
    ...[said, null, null],
  ]);
});

test("a part names all pages of a file, a single one, and several files one after the other", () => {
  const files = [
    { name: "Thesis.pdf", pages: 19, pageRanges: null },
    { name: "Cover.pdf", pages: 1, pageRanges: null },
    { name: "Notes.pdf", pages: 4, pageRanges: null },
  ];
  const order = orderOf();
  const jobs: OrderJob[] = [
    { ...PLAIN, pageRanges: ["1-18", "none", "2"] },
    { ...PLAIN, pageRanges: ["19", "1", "1, 3-4"] },
  ];
  expect(
    describeParts({ ...order, files, jobs }).map((part) => part.files.map(({ pages }) => pages)),
  ).toEqual([
    ["pages 1-18", "page 2"],
    ["page 19", "1 page", "pages 1, 3-4"],
  ]);
  expect(partFacts({ ...order, files, jobs })[0]?.value).toBe(
    "Black & White: Thesis.pdf, pages 1-18; Notes.pdf, page 2. Prints 19 pages on 10 sheets",
  );
  const whole = [{ ...PLAIN, pageRanges: [null, "none", "none"] }, ...jobs.slice(1)];
  expect(describeParts({ ...order, files, jobs: whole })[0]?.files).toEqual([
    { name: "Thesis.pdf", pages: "all 19 pages" },
  ]);
});

test("a booklet is told as one, and what jobs share stands in the order of the form", () => {
  const order = orderOf();
  const jobs = order.jobs.map((job) => ({ ...job, pagesPerSide: 2 as const, isBooklet: true }));
  const backwards = order.quote.jobs.map((job) => ({ ...job, lines: job.lines.toReversed() }));
  const facts = commonFacts({ jobs, quote: { jobs: backwards } });
  expect(facts[0]?.value).toBe("Booklet, fold in the middle, flip on short edge");
  expect(facts.map(({ label }) => label)).toEqual([
    ...["Pages of the file", "Printing side", "Paper type", "Paper size", "Cover", "Binding"],
  ]);
});
