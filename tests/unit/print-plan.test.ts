import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isAgreed,
  parseAmounts,
  paymentText,
  priceStoredOrder,
} from "#client/features/checkout/order-price.ts";
import type { OwnPrinting } from "#client/features/files/print-file.ts";
import { type Draft, emptyDraft, parseDraft } from "#client/features/print/draft.ts";
import { jobsField, jobsOf, toJobs, toOrderData } from "#client/features/print/order-data.ts";
import { type ColourChecks, goneKinds, goneNote, planPrint } from "#client/features/print/print-plan.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { filesOfJob, PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import { orderValueOf } from "#shared/pricing.ts";
import { hasPage, printedPages } from "#shared/print-pages.ts";
import { placeOrderInput } from "#shared/schemas/orders.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import { PAGES_PER_SIDE } from "#shared/sheet-layout.ts";

function option(name: string, pricePaise: number, fields: Partial<ShopOption> = {}): ShopOption {
  return { _id: name, name, price: pricePaise / 100, pricePaise, basis: "page", sides: 1, ...fields };
}

/** Black for ₹1 and colour for ₹4 a page; everything else is free. */
function shopOf(lists: Partial<Shop> = {}): Shop {
  const free = Object.fromEntries(OPTION_KINDS.map((kind) => [kind, [option(`${kind} usual`, 0)]]));
  return {
    ...free,
    printedColours: [option("Black", 100), option("Colour", 400, { inColour: true })],
    printingSides: [option("One side", 0), option("Both sides", 0, { sides: 2 })],
    ...lists,
  } as unknown as Shop;
}

const uploaded = (id: string, pages: number, ranges?: string) => ({
  key: id,
  name: `${id}.pdf`,
  bytes: 10,
  uploaded: { id, url: `/files/${id}`, pages },
  ranges,
});

const checked = (
  colours: Record<string, [pages: string | null, checkedPages: number | null]>,
): ColourChecks =>
  new Map(
    Object.entries(colours).map(([id, [colourPages, checkedPages]]) => [id, { colourPages, checkedPages }]),
  );

const draftOf = (fields: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  files: [uploaded("thesis", 19)],
  fulfilment: "pickup",
  options: { printedColours: "Colour" },
  ...fields,
});
const SIX = Array.from({ length: 6 }, (_, at) => `chapter-${at + 1}`);
const everyOther = (pages: number) => Array.from({ length: pages / 2 }, (_, at) => 2 * at + 1).join();
const FIVE = checked({ thesis: ["3, 7-9, 19", 19] });
const planOf = (draft: Draft, checks = FIVE, shop = shopOf({ offersPickup: true })) =>
  planPrint(shop, draft, {}, { checks });
const rangesOf = ({ jobs }: ReturnType<typeof planPrint>) =>
  jobs.map(({ job, options }) => [options.printedColours.name, ...job.pageRanges]);

describe("pages in colour in colour, and the rest black", () => {
  test("are offered with both totals, and change nothing until they are chosen", () => {
    const plan = planOf(draftOf());
    // 19 × 4 = 76 with 1 tax; 5 × 4 + 14 × 1 = 34 with 4 tax.
    expect(plan.colourApart).toMatchObject({
      colourPages: 5,
      pages: 19,
      wholePaise: 7700,
      apartPaise: 3800,
    });
    expect([plan.jobs.length, plan.quote?.totalPaise]).toEqual([1, 7700]);
  });

  test("are two jobs, each priced by its own option", () => {
    const plan = planOf(draftOf({ isColourApart: true }));
    expect(rangesOf(plan)).toEqual([
      ["Colour", "3, 7-9, 19"],
      ["Black", "1-2, 4-6, 10-18"],
    ]);
    expect([plan.quote?.totalPaise, plan.sides, plan.pages]).toEqual([3800, 19, 19]);
    const jobs = toJobs(plan.files, plan.jobs);
    const layout = { pagesPerSide: 1, hasFrames: false, isBooklet: false };
    expect(jobs).toEqual([
      layout,
      {
        ...layout,
        pageRanges: [{ public_id: "thesis", pages: "1-2, 4-6, 10-18" }],
        options: { printedColour: "Black" },
      },
    ]);
    expect(parseDraft(draftOf({ jobs }))).toMatchObject({ jobs });
  });

  test("can be chosen where everything would be printed black, for what it costs more", () => {
    const plan = planOf(draftOf({ options: { printedColours: "Black" }, isColourApart: true }));
    // 19 × 1 = 19 with 4 tax.
    expect(plan.colourApart).toMatchObject({ wholePaise: 2300, apartPaise: 3800, colourPages: 5 });
    expect(rangesOf(plan)).toEqual([
      ["Black", "1-2, 4-6, 10-18"],
      ["Colour", "3, 7-9, 19"],
    ]);
  });

  test.each<[string, Draft, ColourChecks, Shop]>([
    ["before every file is checked", draftOf(), checked({ thesis: [null, null] }), shopOf()],
    ["while nothing is known", draftOf(), checked({}), shopOf()],
    ["where not every page could be looked at", draftOf(), checked({ thesis: ["3", 18] }), shopOf()],
    ["where no page has colour", draftOf(), checked({ thesis: ["", 19] }), shopOf()],
    ["where every page has colour", draftOf(), checked({ thesis: ["1-19", 19] }), shopOf()],
    [
      "where no chosen page has colour",
      draftOf({ files: [uploaded("thesis", 19, "10-18")] }),
      FIVE,
      shopOf(),
    ],
    [
      "for a booklet, whose sheets mix its pages",
      draftOf({ layout: { pagesPerSide: 2, hasFrames: false, isBooklet: true } }),
      FIVE,
      shopOf(),
    ],
    [
      "where it saves nothing",
      draftOf(),
      FIVE,
      shopOf({ printedColours: [option("Black", 400), option("Colour", 400, { inColour: true })] }),
    ],
    [
      "where the shop has run out of the other",
      draftOf(),
      FIVE,
      shopOf({
        printedColours: [option("Black", 100, { isOut: true }), option("Colour", 400, { inColour: true })],
      }),
    ],
    [
      "where staff have marked no option as colour, whatever it is called",
      draftOf(),
      FIVE,
      shopOf({ printedColours: [option("Black", 100), option("Colour", 400)] }),
    ],
    [
      "where the pages are too many single ones to be named",
      draftOf({ files: [uploaded("thesis", 2000)] }),
      checked({ thesis: [everyOther(2000), 2000] }),
      shopOf(),
    ],
    [
      "where the pages of all files together are",
      draftOf({ files: SIX.map((id) => uploaded(id, 800)) }),
      checked(Object.fromEntries(SIX.map((id) => [id, [everyOther(800), 800]]))),
      shopOf(),
    ],
  ])("are not offered %s", (_when, draft, checks, shop) => {
    const plan = planOf({ ...draft, isColourApart: true }, checks, shop);
    expect([plan.colourApart, plan.jobs.length]).toEqual([null, 1]);
  });

  test("are offered for as many single pages as an order may name", () => {
    const five = SIX.slice(0, 5);
    const files = five.map((id) => uploaded(id, 800));
    const checks = checked(Object.fromEntries(five.map((id) => [id, [everyOther(800), 800]])));
    const plan = planOf(draftOf({ files, isColourApart: true }), checks);
    const sent = placeOrderInput.shape.jobs.safeParse(toJobs(plan.files, plan.jobs));
    expect([plan.jobs.length, sent.success]).toEqual([2, true]);
  });

  test("wait for files that were added since they were chosen, and leave no other price meanwhile", () => {
    const both = draftOf({ isColourApart: true, files: [uploaded("thesis", 19), uploaded("notes", 4)] });
    expect(planOf(both).isAwaitingColours).toBe(true);
    const plan = planOf(both, checked({ thesis: ["3, 7-9, 19", 19], notes: ["2", 4] }));
    expect(plan.isAwaitingColours).toBe(false);
    expect(rangesOf(plan)).toEqual([
      ["Colour", "3, 7-9, 19", "2"],
      ["Black", "1-2, 4-6, 10-18", "1, 3-4"],
    ]);
    expect(planOf(draftOf(), checked({})).isAwaitingColours).toBe(false);
  });

  test("move whole sheets, so that the document can be laid together in order", () => {
    const plan = planOf(
      draftOf({ isColourApart: true, options: { printedColours: "Colour", printingSides: "Both sides" } }),
    );
    expect(rangesOf(plan)).toEqual([
      ["Colour", "3-4, 7-10, 19"],
      ["Black", "1-2, 5-6, 11-18"],
    ]);
    expect(plan.quote?.sheets).toBe(10);
  });
});

test("an option of the order that is gone or has run out is named, with what is printed instead", () => {
  const noteOf = (options: Draft["options"], lists: Partial<Shop> = {}) => {
    const [shop, draft] = [shopOf(lists), draftOf({ options })];
    return goneNote(shop, draft, planOf(draft, FIVE, shop));
  };
  const out = [option("Black", 100), option("Colour", 400, { inColour: true, isOut: true })];
  const note = "Printed colour: what you chose is not available now. “Black” is chosen instead";
  expect(noteOf({ printedColours: "Colour" }, { printedColours: out })).toBe(note);
  expect(noteOf({ printedColours: "Sepia" })).toBe(note);
  expect([noteOf({ printedColours: "Colour" }), noteOf({})]).toEqual([undefined, undefined]);
});

describe("other options for one file", () => {
  const slides = (own: OwnPrinting) => ({ ...uploaded("slides", 8), own });
  const both = (own: OwnPrinting, fields: Partial<Draft> = {}) =>
    draftOf({ files: [uploaded("thesis", 19), slides(own)], options: {}, ...fields });

  test("are a job of its own, priced by them, and the rest stays as the order has it", () => {
    const layout = { pagesPerSide: 4, hasFrames: true, isBooklet: false } as const;
    const plan = planOf(both({ options: { printedColours: "Colour" }, layout }));
    expect(rangesOf(plan)).toEqual([
      ["Black", null, "none"],
      ["Colour", "none", null],
    ]);
    // 19 × 1 + 2 × 4 = 27 with 2 tax; with each page on a side of its own that stays, as it is the file's own layout.
    expect([plan.quote?.totalPaise, plan.plainQuote?.totalPaise, plan.sides]).toEqual([2900, 2900, 21]);
    expect(toJobs(plan.files, plan.jobs)).toEqual([
      PLAIN_LAYOUT,
      { ...layout, pageRanges: [{ public_id: "slides", pages: "1-" }], options: { printedColour: "Colour" } },
    ]);
  });

  test("that are those of the order, or are gone or out, change nothing; those are named", () => {
    const one = (own: OwnPrinting, lists: Partial<Shop> = {}) =>
      planOf(both(own), checked({}), shopOf({ offersPickup: true, ...lists })).jobs.length;
    const goneOf = (printedColours: string, lists: Partial<Shop> = {}) =>
      goneKinds(shopOf(lists), { printedColours });
    expect(one({ options: { printedColours: "Colour" } })).toBe(2);
    expect(one({ options: { printedColours: "Black" }, layout: PLAIN_LAYOUT })).toBe(1);
    expect(one({ options: { printedColours: "Sepia" } })).toBe(1);
    const out = [option("Black", 100), option("Colour", 400, { inColour: true, isOut: true })];
    expect(one({ options: { printedColours: "Colour" } }, { printedColours: out })).toBe(1);
    expect([goneOf("Sepia"), goneOf("Colour", { printedColours: out })]).toEqual([
      ["printedColours"],
      ["printedColours"],
    ]);
    expect([goneOf("Colour"), goneKinds(shopOf())]).toEqual([[], []]);
  });

  test("alone are those of the order data, as no other file is printed", () => {
    const plan = planOf(draftOf({ files: [slides({ options: { printedColours: "Black" } })] }));
    expect(rangesOf(plan)).toEqual([["Black", null]]);
    expect(toJobs(plan.files, plan.jobs)).toEqual([PLAIN_LAYOUT]);
  });

  test("keep their colour where the order's pages in colour are apart, and are not counted in that offer", () => {
    const found = checked({ thesis: ["3, 7-9, 19", 19], slides: ["1-4", 8] });
    const wish = { options: { printedColours: "Colour" }, isColourApart: true };
    const plan = planOf(both({ options: { printedColours: "Black" } }, wish), found);
    expect(plan.colourApart).toMatchObject({ colourPages: 5, pages: 19 });
    expect(rangesOf(plan)).toEqual([
      ["Colour", "3, 7-9, 19", "none"],
      ["Black", "1-2, 4-6, 10-18", null],
    ]);
    const twoSided = planOf(both({ options: { printingSides: "Both sides" } }, wish), found);
    expect(rangesOf(twoSided)).toEqual([
      ["Colour", "3, 7-9, 19", "none"],
      ["Black", "1-2, 4-6, 10-18", "none"],
      ["Colour", "none", "1-4"],
      ["Black", "none", "5-8"],
    ]);
  });

  test("can be a booklet only on both sides", () => {
    const layout = { pagesPerSide: 2, hasFrames: false, isBooklet: true } as const;
    expect(planOf(both({ options: {}, layout })).jobsProblem).toMatch(/both sides/);
    expect(planOf(both({ options: { printingSides: "Both sides" }, layout })).jobsProblem).toBeNull();
  });

  test("are at most as many sets as an order may have jobs", () => {
    const paperSizes = Array.from({ length: 21 }, (_, at) => option(`Size ${at}`, 0));
    const planWith = (count: number) =>
      planOf(
        draftOf({
          files: paperSizes
            .slice(0, count)
            .map(({ _id }) => ({ ...uploaded(_id, 1), own: { options: { paperSizes: _id } } })),
        }),
        checked({}),
        shopOf({ paperSizes }),
      );
    expect([planWith(20).jobs.length, planWith(20).jobsProblem]).toEqual([20, null]);
    expect(planWith(21).jobsProblem).toMatch(/at most 20 different sets of options/);
  });

  test("are kept with the draft, and dropped with it where they make no sense", () => {
    const draft = both({ options: { printedColours: "Colour" }, layout: PLAIN_LAYOUT });
    expect(parseDraft(draft)).toEqual(draft);
    const broken = { ...draft, files: [{ ...uploaded("a", 1), own: { options: { colour: 1 } } }] };
    expect(parseDraft(broken).files).toEqual([]);
  });
});

/** A file with its pages, which of them are chosen and which have colour. */
const someFile = fc.record({
  pages: fc.integer({ min: 1, max: 40 }),
  chosen: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
  coloured: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }),
  own: fc.option(
    fc.record({
      options: fc.record(
        {
          printedColours: fc.constantFrom("Black", "Colour"),
          printingSides: fc.constantFrom("One side", "Both sides"),
        },
        { requiredKeys: [] },
      ),
      layout: fc.option(
        fc.record({
          pagesPerSide: fc.constantFrom(...PAGES_PER_SIDE),
          hasFrames: fc.constant(false),
          isBooklet: fc.constant(false),
        }),
        { nil: undefined },
      ),
    }),
    { nil: undefined },
  ),
});

test("every chosen page is in exactly one job, sheets stay whole, and the server makes the same jobs of it", () => {
  fc.assert(
    fc.property(
      fc.array(someFile, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...PAGES_PER_SIDE),
      fc.constantFrom("One side", "Both sides"),
      fc.constantFrom("Black", "Colour"),
      (some, pagesPerSide, printingSides, printedColours) => {
        const within = (pages: number, list: number[]) =>
          list.filter((page) => page <= pages).toSorted((a, b) => a - b);
        const files = some.map(({ pages, chosen, own }, at) => ({
          ...uploaded(`${at}`, pages, within(pages, chosen).join() || undefined),
          own,
        }));
        const checks = checked(
          Object.fromEntries(
            some.map(({ pages, coloured }, at) => [`${at}`, [within(pages, coloured).join(), pages]]),
          ),
        );
        const layout = { pagesPerSide, hasFrames: false, isBooklet: false };
        const options = { printedColours, printingSides };
        const plan = planOf(draftOf({ files, layout, options, isColourApart: true }), checks);
        for (const [at, file] of plan.files.entries()) {
          const own = some[at]?.own;
          const sides = own?.options.printingSides ?? printingSides;
          const unit = (own?.layout ?? layout).pagesPerSide * (sides === "Both sides" ? 2 : 1);
          const pages = printedPages(file).flatMap(({ first, last }) =>
            Array.from({ length: last - first + 1 }, (_, from) => first + from),
          );
          const jobsOfPage = pages.map((page) =>
            plan.jobs.flatMap(({ job }, number) => {
              const own = filesOfJob(plan.files, job)[at];
              return own && hasPage(printedPages(own), page) ? [number] : [];
            }),
          );
          expect(jobsOfPage.every((jobs) => jobs.length === 1)).toBe(true);
          for (let start = 0; start < pages.length; start += unit)
            expect(new Set(jobsOfPage.slice(start, start + unit).flat()).size).toBe(1);
          for (const [index, page] of pages.entries()) {
            const job = plan.jobs[jobsOfPage[index]?.[0] ?? 0];
            const hasColour = some[at]?.coloured.includes(page) ?? false;
            const colour = own?.options.printedColours ?? (plan.colourApart && hasColour && "Colour");
            if (colour) expect(job?.options.printedColours.name).toBe(colour);
            expect(job?.options.printingSides.name).toBe(sides);
            expect(job?.job.pagesPerSide).toBe((own?.layout ?? layout).pagesPerSide);
          }
        }
        const wishes = toJobs(plan.files, plan.jobs);
        expect(jobsOf(plan.files, wishes)).toEqual(plan.jobs.map(({ job }) => job));
        const sent = jobsField(wishes);
        if (sent.jobs) expect(placeOrderInput.shape.jobs.safeParse(sent.jobs).success).toBe(true);
      },
    ),
  );
});

describe("an order that waits at the checkout", () => {
  const shop = shopOf({ offersPickup: true });
  const ownBlack = { options: { printedColours: "Black" } };
  const files = [uploaded("thesis", 19, "1-10"), { ...uploaded("notes", 5), own: ownBlack }];
  const draft = draftOf({ files, copies: 2 });
  const { pages, copies, options, quote, jobs, files: printed } = planOf(draft, new Map(), shop);
  if (!pages || !copies || !options || !quote) throw new Error("nothing to order");
  const data = toOrderData({ shop, userEmail: "", draft, pages, copies, options, quote });
  const order = { data, files, jobs: toJobs(printed, jobs) };

  test("costs what its form said, part by part, until the shop changes a price", () => {
    const again = priceStoredOrder(shop, order, "pickup");
    expect(again).toEqual(quote);
    expect(again && isAgreed(data, orderValueOf(again))).toBe(true);
    const printedColours = [option("Black", 101), option("Colour", 400, { inColour: true })];
    const dearer = priceStoredOrder({ ...shop, printedColours }, order, "pickup");
    expect(dearer && isAgreed(data, orderValueOf(dearer))).toBe(false);
  });

  test("has no price once an option of one of its parts is gone", () => {
    const [black, colour] = shop.printedColours;
    for (const left of [black, colour])
      expect(priceStoredOrder({ ...shop, printedColours: left ? [left] : [] }, order, "pickup")).toBeNull();
  });

  test("has no price once its draft has lost a file", () => {
    for (const file of files)
      expect(priceStoredOrder(shop, { ...order, files: [file] }, "pickup")).toBeNull();
  });

  test("counts the pages that were agreed where it has no draft", () => {
    const alone = { ...order, jobs: order.jobs.slice(0, 1), files: [] };
    expect(priceStoredOrder(shop, alone, "pickup")?.subTotalPaise).toBe(15 * 2 * 400);
  });

  test("names its jobs unless each page has a side of its own", () => {
    const shared = { ...PLAIN_LAYOUT, pagesPerSide: 2 } as const;
    expect(jobsField([PLAIN_LAYOUT])).toEqual({});
    expect(jobsField([shared])).toEqual({ jobs: [shared] });
    expect(jobsField([PLAIN_LAYOUT, shared])).toEqual({ jobs: [PLAIN_LAYOUT, shared] });
  });

  test("says how it is paid", () => {
    const ways = (["pickup", "delivery"] as const).map((way) =>
      paymentText({ ...shop, takesUpi: false }, way),
    );
    expect(ways).toEqual(["At the shop, when you pick it up", "On delivery"]);
    expect(paymentText({ ...shop, takesUpi: true }, "pickup")).toMatch(/^By UPI/);
  });

  test("takes the right amounts from the server's refusal, and none from another answer", () => {
    const amounts = { subTotal: 11, tax: 1, deliveryFee: 11, orderTotal: 23 };
    expect(parseAmounts(amounts)).toEqual(amounts);
    expect(parseAmounts({ subTotal: 11 })).toBeNull();
  });
});
