import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BASES, OPTION_KINDS } from "#shared/options.ts";
import {
  billedLines,
  orderValueOf,
  type PriceLine,
  type PrintJob,
  priceJob,
  priceOrder,
  type Quote,
  type Selection,
} from "#shared/pricing.ts";

function selection(pricePaise: number[], overrides: Partial<Selection> = {}): Selection {
  const plain = OPTION_KINDS.map((kind, index) => [
    kind,
    { name: kind, pricePaise: pricePaise[index] ?? 0, basis: "page", sides: 1 },
  ]);
  return { ...(Object.fromEntries(plain) as Selection), ...overrides };
}

type PricedJob = Parameters<typeof priceJob>[0];

function linesIn({ jobs }: Quote): PriceLine[] {
  return jobs.flatMap(({ lines }) => lines);
}

describe("priceJob", () => {
  test("multiplies pages, copies and the sum of the six prices", () => {
    const quote = priceJob({ pages: 10, copies: 3, options: selection([100, 20, 5, 0, 10, 15]) });
    expect(quote.subTotalPaise).toBe(10 * 3 * 150);
    expect(quote.taxPaise).toBe(0);
    expect(quote.deliveryFeePaise).toBe(500);
    expect(quote.totalPaise).toBe(5000);
  });

  test("rounds up on exact paise, not on floating point: 1.10 × 10 pages is 11 rupees", () => {
    expect(priceJob({ pages: 10, copies: 1, options: selection([110]) }).subTotalPaise).toBe(1100);
  });

  test("rounds up to a whole rupee and reports the difference", () => {
    const quote = priceJob({ pages: 1, copies: 1, options: selection([101]) });
    expect(quote.subTotalPaise).toBe(200);
    expect(quote.roundingPaise).toBe(99);
  });

  test("takes tax modulo 5 rupees and the delivery fee modulo 20 rupees", () => {
    const quote = priceJob({ pages: 1, copies: 1, options: selection([11_900]) });
    expect([quote.taxPaise, quote.deliveryFeePaise, quote.totalPaise]).toEqual([400, 1900, 14_200]);
  });

  test("counts sheets for an option priced by the sheet, including a half-used last one", () => {
    const bothSides = { name: "Both sides", pricePaise: 0, basis: "page", sides: 2 } as const;
    const paper = { name: "70 GSM", pricePaise: 100, basis: "sheet", sides: 1 } as const;
    const options = selection([], { printingSides: bothSides, paperTypes: paper });
    const quote = priceJob({ pages: 5, copies: 2, options });
    expect(quote.sheets).toBe(6);
    expect(quote.subTotalPaise).toBe(600);
  });

  test("counts a fresh sheet for each file that is printed on both sides", () => {
    const bothSides = { name: "Both sides", pricePaise: 0, basis: "page", sides: 2 } as const;
    const paper = { name: "70 GSM", pricePaise: 100, basis: "sheet", sides: 1 } as const;
    const options = selection([50], { printingSides: bothSides, paperTypes: paper });
    const quote = priceJob({ pages: [1, 3, 0, 4], copies: 2, options });
    expect(quote.sheets).toBe((1 + 2 + 0 + 2) * 2);
    expect(linesIn(quote).map(({ quantity }) => quantity)).toEqual([16, 16, 10, 16, 16, 16]);
  });

  test("charges a binding priced per copy once per copy, and a cover priced per order once", () => {
    const binding = { name: "Spiral", pricePaise: 3500, basis: "copy", sides: 1 } as const;
    const cover = { name: "Printed cover", pricePaise: 1000, basis: "order", sides: 1 } as const;
    const options = selection([], { bindingOptions: binding, coverOptions: cover });
    expect(priceJob({ pages: 80, copies: 3, options }).subTotalPaise).toBe(3 * 3500 + 1000);
  });

  test("shows each option with its price, what it is multiplied by, and its amount", () => {
    const paper = { name: "70 GSM", pricePaise: 100, basis: "sheet", sides: 1 } as const;
    const quote = priceJob({ pages: 5, copies: 2, options: selection([], { paperTypes: paper }) });
    expect(linesIn(quote).map(({ kind }) => kind)).toEqual([
      "printedColours",
      "printingSides",
      "paperTypes",
      "paperSizes",
      "coverOptions",
      "bindingOptions",
    ]);
    expect(linesIn(quote)[2]).toEqual({
      kind: "paperTypes",
      name: "70 GSM",
      unitPaise: 100,
      basis: "sheet",
      quantity: 10,
      amountPaise: 1000,
    });
  });

  test("is agreed on in rupees", () => {
    const quote = priceJob({ pages: 1, copies: 1, options: selection([11_900]) });
    expect(orderValueOf(quote)).toEqual({ subTotal: 119, tax: 4, deliveryFee: 19, orderTotal: 142 });
  });

  const option = fc.record({
    name: fc.string(),
    pricePaise: fc.nat(1_000_000),
    basis: fc.constantFrom(...BASES),
    sides: fc.constantFrom(1, 2),
  });
  const job = fc.record({
    pages: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.array(fc.nat(500), { minLength: 1 })),
    copies: fc.integer({ min: 1, max: 100 }),
    fulfilment: fc.constantFrom(undefined, "delivery", "pickup"),
    options: fc.record(Object.fromEntries(OPTION_KINDS.map((kind) => [kind, option]))),
  }) as fc.Arbitrary<PricedJob>;

  test("agrees with a big-integer version of the rule for any job", () => {
    fc.assert(
      fc.property(job, (anyJob) => {
        const quote = priceJob(anyJob);
        const expected = priceInBigIntegers(anyJob);
        expect(BigInt(quote.subTotalPaise)).toBe(expected.subTotal);
        expect(BigInt(quote.taxPaise)).toBe(expected.tax);
        expect(BigInt(quote.deliveryFeePaise)).toBe(expected.delivery);
        expect(BigInt(quote.totalPaise)).toBe(expected.subTotal + expected.tax + expected.delivery);
        const lines = linesIn(quote).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
        expect(lines + quote.roundingPaise).toBe(quote.subTotalPaise);
        expect(quote.roundingPaise).toBeLessThan(100);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("priceOrder", () => {
  const jobs = (first: Partial<Selection>, second: Partial<Selection>) => [
    { pages: 14, options: selection([100, 50], first) },
    { pages: 5, options: selection([100, 50], second) },
  ];
  const colour = { name: "Colour", pricePaise: 500, basis: "page", sides: 1 } as const;

  test("adds up the pages of each job at its own prices, and rounds the sum up once", () => {
    const quote = priceOrder({
      jobs: [
        { pages: 14, options: selection([101, 50]) },
        { pages: 5, options: selection([101, 50], { printedColours: { ...colour, pricePaise: 501 } }) },
      ],
      copies: 1,
    });
    // 2114 and 2755 paise, which are 5,000 where each is rounded up for itself.
    expect(quote.subTotalPaise).toBe(4900);
    expect(quote.roundingPaise).toBe(4900 - (14 * 151 + 5 * 551));
    expect(quote.taxPaise).toBe(400);
    expect(quote.deliveryFeePaise).toBe(900);
    expect(quote.jobs.map(({ pages, sheets }) => [pages, sheets])).toEqual([
      [14, 14],
      [5, 5],
    ]);
  });

  test.each(["copy", "order"] as const)("charges a binding priced by the %s once for all jobs", (basis) => {
    const binding = { name: "Spiral", pricePaise: 3500, basis, sides: 1 };
    const parts = jobs({ bindingOptions: binding }, { bindingOptions: binding, printedColours: colour });
    const quote = priceOrder({ jobs: parts, copies: 3 });
    const whole = priceJob({ pages: 19, copies: 3, options: selection([], { bindingOptions: binding }) });
    const bound = (priced: Quote) =>
      linesIn(priced).reduce(
        (sum, { kind, amountPaise }) => sum + (kind === "bindingOptions" ? amountPaise : 0),
        0,
      );
    expect(bound(quote)).toBe(bound(whole));
    expect(bound(quote)).toBe(basis === "copy" ? 3 * 3500 : 3500);
  });

  test("charges two different bindings of two jobs both", () => {
    const binding = { name: "Spiral", pricePaise: 3500, basis: "copy", sides: 1 } as const;
    const parts = jobs(
      { bindingOptions: binding },
      { bindingOptions: { ...binding, name: "Hard", pricePaise: 9000 } },
    );
    const amounts = linesIn(priceOrder({ jobs: parts, copies: 2 })).filter(
      ({ kind }) => kind === "bindingOptions",
    );
    expect(amounts.map(({ amountPaise }) => amountPaise)).toEqual([7000, 18_000]);
  });

  test("counts the sheets of each job as they come out, for what is priced by the sheet or page", () => {
    const both = { name: "Both sides", pricePaise: 0, basis: "page", sides: 2 } as const;
    const paper = { name: "70 GSM", pricePaise: 100, basis: "sheet", sides: 1 } as const;
    const options = selection([], { printingSides: both, paperTypes: paper });
    const quote = priceOrder({
      jobs: [
        { pages: [3, 1], options },
        { pages: 5, options },
      ],
      copies: 2,
    });
    expect([quote.sheets, ...quote.jobs.map(({ sheets }) => sheets)]).toEqual([12, 6, 6]);
    expect(quote.subTotalPaise).toBe(1200);
  });

  test("bills what several jobs have at one price as one line", () => {
    const quote = priceOrder({ jobs: jobs({}, { printedColours: colour }), copies: 2 });
    expect(
      billedLines(quote).map(({ kind, name, quantity, amountPaise }) => [kind, name, quantity, amountPaise]),
    ).toEqual([
      ["printedColours", "printedColours", 28, 2800],
      ["printedColours", "Colour", 10, 5000],
      ["printingSides", "printingSides", 38, 1900],
      ["paperTypes", "paperTypes", 38, 0],
      ["paperSizes", "paperSizes", 38, 0],
      ["coverOptions", "coverOptions", 38, 0],
      ["bindingOptions", "bindingOptions", 38, 0],
    ]);
  });

  test("bills nothing for what an earlier job has charged at another price", () => {
    const binding = { name: "Spiral", pricePaise: 3500, basis: "copy", sides: 1 } as const;
    const parts = jobs({ bindingOptions: binding }, { bindingOptions: { ...binding, pricePaise: 4000 } });
    const bound = billedLines(priceOrder({ jobs: parts, copies: 2 })).filter(({ name }) => name === "Spiral");
    expect(bound.map(({ quantity, amountPaise }) => [quantity, amountPaise])).toEqual([[2, 7000]]);
  });

  test("agrees with a big-integer version of the rule for any jobs", () => {
    const optionOf = (kind: string) =>
      fc.nat(3).map((which) => ({
        name: `${kind} ${which}`,
        pricePaise: (which * 7919 + kind.length * 131) % 10_000,
        basis: BASES[(which + kind.length) % BASES.length] ?? "page",
        sides: kind === "printingSides" ? 1 + (which % 2) : 1,
      }));
    const job = fc.record({
      pages: fc.array(fc.nat(300), { minLength: 1, maxLength: 4 }),
      options: fc.record(Object.fromEntries(OPTION_KINDS.map((kind) => [kind, optionOf(kind)]))),
    }) as fc.Arbitrary<PrintJob & { pages: number[] }>;
    fc.assert(
      fc.property(
        fc.array(job, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        (all, copies) => {
          const quote = priceOrder({ jobs: all, copies });
          let exact = 0n;
          const once = new Map<string, bigint>();
          for (const { pages, options } of all) {
            const sides = BigInt(options.printingSides.sides);
            for (const kind of OPTION_KINDS) {
              const { name, pricePaise, basis } = options[kind];
              const price = BigInt(pricePaise);
              if (basis === "copy") once.set(`${kind} ${name}`, price * BigInt(copies));
              if (basis === "order") once.set(`${kind} ${name}`, price);
              for (const count of pages.map(BigInt)) {
                if (basis === "page") exact += price * count * BigInt(copies);
                if (basis === "sheet") exact += price * ((count + sides - 1n) / sides) * BigInt(copies);
              }
            }
          }
          for (const amount of once.values()) exact += amount;
          const subTotal = ((exact + 99n) / 100n) * 100n;
          expect(BigInt(quote.subTotalPaise)).toBe(subTotal);
          expect(BigInt(quote.totalPaise)).toBe(subTotal + (subTotal % 500n) + (subTotal % 2000n));
          const billed = billedLines(quote).reduce((sum, { amountPaise }) => sum + amountPaise, 0);
          expect(billed + quote.roundingPaise).toBe(quote.subTotalPaise);
          for (const { quantity, unitPaise, amountPaise } of billedLines(quote))
            expect(amountPaise).toBe(quantity * unitPaise);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function priceInBigIntegers(job: PricedJob) {
  const files = (typeof job.pages === "number" ? [job.pages] : job.pages).map(BigInt);
  const pages = files.reduce((sum, count) => sum + count, 0n);
  const copies = BigInt(job.copies);
  const sides = BigInt(job.options.printingSides.sides);
  const factor = {
    page: pages * copies,
    sheet: files.reduce((sum, count) => sum + count / sides + (count % sides), 0n) * copies,
    copy: copies,
    order: 1n,
  };
  let exact = 0n;
  for (const kind of OPTION_KINDS) {
    const { pricePaise, basis } = job.options[kind];
    exact += BigInt(pricePaise) * factor[basis];
  }
  const subTotal = ((exact + 99n) / 100n) * 100n;
  return { subTotal, tax: subTotal % 500n, delivery: job.fulfilment === "pickup" ? 0n : subTotal % 2000n };
}
