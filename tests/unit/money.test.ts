import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPaise, toPaise, toRupees } from "#shared/money.ts";
import { rupeesField } from "#shared/schemas/fields.ts";

describe("money", () => {
  test("stays exact when converted to rupees and back, for any amount", () => {
    fc.assert(fc.property(fc.nat(2 ** 31 - 1), (paise) => toPaise(toRupees(paise)) === paise));
  });

  test("is shown with Indian grouping and two decimals", () => {
    expect(formatPaise(12_345_600)).toBe("₹1,23,456.00");
    expect(formatPaise(5)).toBe("₹0.05");
    const rupees = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
    fc.assert(
      fc.property(fc.integer(), (paise) => {
        expect(formatPaise(paise)).toBe(rupees.format(paise / 100));
      }),
    );
  });

  test.each([
    ["123.00", 12_300],
    ["123", 12_300],
    [123, 12_300],
    [1.1, 110],
    ["0.05", 5],
    [0, 0],
  ])("accepts %j as an amount in rupees", (sent, paise) => {
    expect(rupeesField.parse(sent)).toBe(paise);
  });

  test.each([
    -1,
    "-1",
    1.005,
    "1.005",
    "",
    "abc",
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "1e3",
    10_000_001,
    [],
    {},
  ])("refuses %j as an amount in rupees", (sent) => {
    expect(rupeesField.safeParse(sent).success).toBe(false);
  });
});
