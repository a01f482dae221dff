import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BASES, OPTION_KINDS } from "#shared/options.ts";
import { orderValueOf, type PrintJob, priceJob, type Selection } from "#shared/pricing.ts";

function selection(pricePaise: number[], overrides: Partial<Selection> = {}): Selection {
  const plain = OPTION_KINDS.map((kind, index) => [
    kind,
    { name: kind, pricePaise: pricePaise[index] ?? 0, basis: "page", sides: 1 },
  ]);
  return { ...(Object.fromEntries(plain) as Selection), ...overrides };
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
    expect(quote.lines.map(({ quantity }) => quantity)).toEqual([16, 16, 10, 16, 16, 16]);
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
    expect(quote.lines.map(({ kind }) => kind)).toEqual([
      "printedColours",
      "printingSides",
      "paperTypes",
      "paperSizes",
      "coverOptions",
      "bindingOptions",
    ]);
    expect(quote.lines[2]).toEqual({
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
  }) as fc.Arbitrary<PrintJob>;

  test("agrees with a big-integer version of the rule for any job", () => {
    fc.assert(
      fc.property(job, (anyJob) => {
        const quote = priceJob(anyJob);
        const expected = priceInBigIntegers(anyJob);
        expect(BigInt(quote.subTotalPaise)).toBe(expected.subTotal);
        expect(BigInt(quote.taxPaise)).toBe(expected.tax);
        expect(BigInt(quote.deliveryFeePaise)).toBe(expected.delivery);
        expect(BigInt(quote.totalPaise)).toBe(expected.subTotal + expected.tax + expected.delivery);
        const lines = quote.lines.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
        expect(lines + quote.roundingPaise).toBe(quote.subTotalPaise);
        expect(quote.roundingPaise).toBeLessThan(100);
      }),
      { numRuns: 2000 },
    );
  });
});

function priceInBigIntegers(job: PrintJob) {
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
