import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPTION_KINDS } from "#shared/options.ts";
import { priceJob, type Selection } from "#shared/pricing.ts";
import { NO_PAGES, rangesOfPages, writePageRanges } from "#shared/print-pages.ts";
import { PAGES_PER_SIDE } from "#shared/sheet-layout.ts";
import { getShop } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { type StaffPerson, shopIds, signedInOwner } from "../factories/staff.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { download, packPath, placeFiles } from "./packs.fixtures.ts";

const RUNS = 8;
/** Each run uploads and prints what a student would in minutes, on a machine that may be busy. */
const TIME_MS = 120_000;

let store: TestStore;
/** Prints on one side, and on both, with its first options. */
let shops: Record<1 | 2, string>;
let owner: StaffPerson;
beforeAll(async () => {
  store = await startTestStore();
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
afterAll(() => store.stop());

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
      fc.constantFrom(...PAGES_PER_SIDE),
      async (files, some, copies, sides, pagesPerSide) => {
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
          { noOfPages, copies, layout: { pagesPerSide, hasFrames: pagesPerSide % 2 === 0 } },
        );
        const { body } = await owner.visitor.query("board.order", { orderId: order.id });
        const { pages: billed, totalPaise, quote } = body.result.data;
        const { bytes } = await download(owner.visitor, packPath(order));
        const printed = await readPages(bytes);
        const tickets = printed.filter((text) => text.includes(order.number));
        const pagesOf = (place: number) =>
          chosen.slice(0, noOfPages).filter((text) => text.startsWith(`File${place} `));
        const impressions = printed.slice(tickets.length);
        const printedSides = files.flatMap((_, place) => inGroups(pagesOf(place), pagesPerSide));
        expect(impressions.filter((text) => text !== "").map(pagesIn)).toEqual(printedSides);
        const fronts = printed.filter((_, at) => at % sides === 0);
        const ofFile = (text = "") => text.split(" ")[0];
        const starts = impressions.filter((text, at) => ofFile(text) !== ofFile(impressions[at - 1]));
        expect(starts.filter((text) => text !== "" && !fronts.includes(text))).toEqual([]);
        expect(quote.sheets).toBe(Math.ceil(impressions.length / sides) * copies);
        expect([billed, totalPaise]).toEqual([
          printedSides.length,
          priceJob({
            pages: files.map((_, place) => inGroups(pagesOf(place), pagesPerSide).length),
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
      ],
    },
  );
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
