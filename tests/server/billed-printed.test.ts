import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Basis, OPTION_KINDS } from "#shared/options.ts";
import { priceJob, type Selection } from "#shared/pricing.ts";
import { NO_PAGES, rangesOfPages, writePageRanges } from "#shared/print-pages.ts";
import { PAGES_PER_SIDE } from "#shared/sheet-layout.ts";
import { getShop, seenByStaff } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { priceEntry, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { storedAndComputedStats } from "../setup/computed-stats.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { testStore } from "../setup/test-store.ts";
import { download, packPath, placeFiles } from "./packs.fixtures.ts";

const RUNS = 8;
/** Each run uploads and prints what a student would in minutes, on a machine that may be busy. */
const TIME_MS = 120_000;

const store = testStore();
/** Prints on one side, and on both, with its first options. */
let shops: Record<1 | 2, string>;
let owner: StaffPerson;
beforeAll(async () => {
  const [single, double] = await shopIds(store);
  shops = { 1: single, 2: double };
  await store.deps.db
    .updateTable("shop_options")
    .set({ sides: 2 })
    .where("shop_id", "=", double)
    .where("kind", "=", "printingSides")
    .execute();
  owner = await signedInOwner(store, [single, double]);
});

const file = fc.integer({ min: 1, max: 12 }).chain((pages) =>
  fc.record({
    pages: fc.constant(pages),
    chosen: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: pages })), {
      nil: undefined,
    }),
  }),
);

/** The pages of a file as they share sides. */
function inGroups(pages: string[], size: number): string[][] {
  return pages.length === 0 ? [] : [pages.slice(0, size), ...inGroups(pages.slice(size), size)];
}

/** The pages of a file as they lie on the sides of a booklet: its outermost sheet has the first and the last ones. */
function inBooklet(pages: string[]): string[][] {
  const left: (string | undefined)[] = [
    ...pages,
    ...Array.from({ length: -pages.length & 3 }, () => undefined),
  ];
  const sides: (string | undefined)[][] = [];
  while (left.length > 0) sides.push([left.pop(), left.shift()], [left.shift(), left.pop()]);
  return sides.map((side) => side.filter((page) => page !== undefined)).filter((side) => side.length > 0);
}

/** The pages that a side shows. */
function pagesIn(side: string): string[] {
  return side.match(/File\d \d+/g) ?? [];
}

test("the pages of pack and ticket are the pages that were priced, for any order", {
  timeout: TIME_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 3 }),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom<1 | 2>(1, 2),
      fc.constantFrom(...PAGES_PER_SIDE, "booklet" as const),
      async (files, some, copies, sides, kind) => {
        const isBooklet = kind === "booklet";
        fc.pre(!isBooklet || sides === 2);
        const pagesPerSide = isBooklet ? 2 : kind;
        const onSides = (pages: string[]) => (isBooklet ? inBooklet(pages) : inGroups(pages, pagesPerSide));
        const shop = await getShop(store.visitor(), shops[sides]);
        const options = Object.fromEntries(
          OPTION_KINDS.map((kind) => [kind, shop[kind][0]]),
        ) as unknown as Selection;
        const chosen = files.flatMap(({ pages, chosen: wished }, place) =>
          (wished?.toSorted((a, b) => a - b) ?? Array.from({ length: pages }, (_, at) => at + 1)).map(
            (page) => `File${place} ${page}`,
          ),
        );
        fc.pre(chosen.length > 0);
        const noOfPages = 1 + (some % chosen.length);
        const order = await placeFiles(
          store,
          shops[sides],
          files.map(({ pages, chosen: wished }, place) => ({
            name: `File${place}.pdf`,
            bytes: numberedPdf(`File${place}`, pages),
            ...(wished && { pages: writePageRanges(rangesOfPages(wished)) || NO_PAGES }),
          })),
          { noOfPages, copies, layout: { pagesPerSide, hasFrames: pagesPerSide % 2 === 0, isBooklet } },
        );
        const { body } = await owner.visitor.query("board.order", { orderId: order.id });
        const { pages: billed, totalPaise, quote } = body.result.data;
        const { bytes } = await download(owner.visitor, packPath(order));
        const printed = await readPages(bytes);
        const tickets = printed.filter((text) => text.includes(order.number));
        const pagesOf = (place: number) =>
          chosen.slice(0, noOfPages).filter((text) => text.startsWith(`File${place} `));
        const impressions = printed.slice(tickets.length);
        const printedSides = files.flatMap((_, place) => onSides(pagesOf(place)));
        expect(impressions.filter((text) => text !== "").map(pagesIn)).toEqual(printedSides);
        const fronts = printed.filter((_, at) => at % sides === 0);
        const ofFile = (text = "") => text.split(" ")[0];
        const starts = impressions.filter((text, at) => ofFile(text) !== ofFile(impressions[at - 1]));
        expect(starts.filter((text) => text !== "" && !fronts.includes(text))).toEqual([]);
        expect(quote.sheets).toBe(Math.ceil(impressions.length / sides) * copies);
        expect([billed, totalPaise]).toEqual([
          printedSides.length,
          priceJob({
            pages: files.map((_, place) => onSides(pagesOf(place)).length),
            copies,
            options,
          }).totalPaise,
        ]);
        for (const text of [`Copies\n${copies}`, `Pages\n${printedSides.length}`, `Sheets\n${quote.sheets}`])
          expect(tickets[0]).toContain(text);
      },
    ),
    {
      numRuns: RUNS,
      examples: [
        [
          [
            { pages: 5, chosen: [2, 1] },
            { pages: 4, chosen: [] },
            { pages: 3, chosen: undefined },
          ],
          4,
          1,
          2,
          1,
        ],
        [
          [
            { pages: 3, chosen: undefined },
            { pages: 2, chosen: [2] },
            { pages: 2, chosen: undefined },
          ],
          5,
          3,
          2,
          2,
        ],
        [
          [
            { pages: 1, chosen: undefined },
            { pages: 11, chosen: [1, 2, 3, 5, 7, 11] },
            { pages: 5, chosen: undefined },
          ],
          10,
          2,
          2,
          "booklet",
        ],
      ],
    },
  );
});

/** Prices of the shop below, in paise. Paper is priced by the sheet, the binding by the copy and the cover by the order. */
const PAISE = {
  Colour: 425,
  Black: 50,
  Single: 10,
  Both: 5,
  paper: 30,
  Spiral: 3500,
  Staple: 200,
  cover: 1000,
};
type ColourName = "Colour" | "Black";
type SidesName = "Single" | "Both";
type BindingName = "Spiral" | "Staple";

/** A job with its share of the pages: those whose number falls to it. */
const job = fc.record({
  colour: fc.constantFrom<ColourName>("Colour", "Black"),
  side: fc.constantFrom<SidesName>("Single", "Both"),
  binding: fc.constantFrom<BindingName>("Spiral", "Staple"),
  pagesPerSide: fc.constantFrom(...PAGES_PER_SIDE),
});

test("each page of an order with several jobs is in the pack of one of them, and price and sheets are those of the packs", {
  timeout: TIME_MS,
}, async () => {
  const { visitor: admin } = await signedInAdmin(store);
  const named = (basis: Basis, ...names: (keyof typeof PAISE)[]) =>
    names.map((name) => priceEntry(name, PAISE[name], { basis, sides: name === "Both" ? 2 : 1 }));
  const shop = await shownShop(admin, {
    printedColours: named("page", "Colour", "Black"),
    printingSides: named("page", "Single", "Both"),
    paperTypes: named("sheet", "paper"),
    paperSizes: [priceEntry("A4", 0)],
    coverOptions: named("order", "cover"),
    bindingOptions: named("copy", "Spiral", "Staple"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
      fc.array(job, { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(), { minLength: 27, maxLength: 27 }),
      fc.integer({ min: 1, max: 9 }),
      async (files, jobs, shares, copies) => {
        const pages = files.flatMap((count, file) =>
          Array.from({ length: count }, (_, at) => ({ file, page: at + 1 })),
        );
        const jobOf = pages.map((_, at) => (shares[at] ?? 0) % jobs.length);
        const pagesOf = (index: number, file: number) =>
          pages.filter((page, at) => page.file === file && jobOf[at] === index).map(({ page }) => page);
        fc.pre(jobs.every((_, index) => jobOf.includes(index)));
        const options = ({ colour, side, binding }: (typeof jobs)[number]) => ({
          ...{ printedColour: colour, printingSide: side, bindingOption: binding },
        });
        const layoutOf = ({ pagesPerSide }: (typeof jobs)[number]) => ({
          pagesPerSide,
          hasFrames: false,
          isBooklet: false,
        });
        const [first, ...others] = jobs;
        if (!first) throw new Error("there is no job");
        const order = await placeFiles(
          store,
          shop.id,
          files.map((count, file) => ({ name: `File${file}.pdf`, bytes: numberedPdf(`File${file}`, count) })),
          {
            copies,
            layout: layoutOf(first),
            options: options(first),
            parts: others.map((each, at) => ({
              pages: Object.fromEntries(
                files.map((_, file) => [
                  file,
                  writePageRanges(rangesOfPages(pagesOf(at + 1, file))) || NO_PAGES,
                ]),
              ),
              layout: layoutOf(each),
              options: options(each),
            })),
          },
        );

        let exact = PAISE.cover;
        let [sidesPrinted, sheetsPrinted] = [0, 0];
        for (const [index, each] of jobs.entries()) {
          const { bytes } = await download(admin, packPath(order, index + 1));
          const printed = await readPages(bytes);
          const tickets = printed.filter((text) => text.includes(order.number));
          const impressions = printed.slice(tickets.length);
          const expected = files.flatMap((_, file) =>
            inGroups(
              pagesOf(index, file).map((page) => `File${file} ${page}`),
              each.pagesPerSide,
            ),
          );
          const sides = impressions.filter((text) => text !== "");
          expect(sides.map(pagesIn)).toEqual(expected);
          const sheets = Math.ceil(impressions.length / (each.side === "Both" ? 2 : 1)) * copies;
          for (const text of [
            `Copies\n${copies}`,
            `Pages\n${sides.length}`,
            `Sheets\n${sheets}`,
            each.colour,
          ])
            expect(tickets[0]).toContain(text);
          if (jobs.length > 1) expect(tickets[0]).toContain(`Part\n${index + 1} of ${jobs.length}`);
          exact += (PAISE[each.colour] + PAISE[each.side]) * sides.length * copies + PAISE.paper * sheets;
          sidesPrinted += sides.length;
          sheetsPrinted += sheets;
        }
        for (const binding of new Set(jobs.map((each) => each.binding))) exact += PAISE[binding] * copies;
        const subTotalPaise = Math.ceil(exact / 100) * 100;
        const detail = await seenByStaff(admin, order.id);
        expect([detail.pages, detail.quote.sheets]).toEqual([sidesPrinted, sheetsPrinted]);
        expect([detail.quote.subTotalPaise, detail.totalPaise]).toEqual([
          subTotalPaise,
          subTotalPaise + (subTotalPaise % 500) + (subTotalPaise % 2000),
        ]);
      },
    ),
    { numRuns: RUNS },
  );
  const { kept, plain } = await storedAndComputedStats(store.deps.readDb);
  expect(kept).toEqual(plain);
});

test("an order without stored page counts is printed as it was billed", async () => {
  const order = await placeFiles(store, shops[1], [
    { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 200) },
  ]);
  await store.deps.db.updateTable("orders").set({ pages: 1 }).where("id", "=", order.id).execute();
  const [ticket, ...pages] = await readPages((await download(owner.visitor, packPath(order))).bytes);
  expect(pages).toEqual(["Thesis 1"]);
  expect(ticket).toContain("only page 1: 1 of 200 pages");
});
