import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkDigit,
  financialYear,
  GST_RATES,
  INVOICE_NAMES,
  invoiceNumber,
  isGstin,
  placeOfSupply,
  splitTax,
} from "#shared/gst.ts";

describe("a GSTIN", () => {
  test.each([
    ["27AAPFU0939F1ZV", true],
    ["27AAPFU0939F1ZW", false],
    ["28AAPFU0939F1ZV", false],
    ["99AAPFU0939F1ZV", false],
    ["27aapfu0939f1zv", false],
    ["127AAPFU0939F1ZV", false],
    ["27AAPFU0939F1ZV1", false],
    // Its last fifteen characters are a GSTIN's, and the check digit of its first fifteen is right.
    ["127AAPRU0939F9ZY", false],
    // With the right check digits: of a state that there is not, and without the Z.
    [`25AAPFU0939F1Z${checkDigit("25AAPFU0939F1Z")}`, false],
    [`27AAPFU0939F1Y${checkDigit("27AAPFU0939F1Y")}`, false],
    ["", false],
  ])("%j is valid: %s", (text, expected) => {
    expect(isGstin(text)).toBe(expected);
  });

  test("with one character changed, or two neighbours swapped, has another check digit", () => {
    const right = "27AAPFU0939F1Z";
    const digit = checkDigit(right);
    for (const [index, character] of Array.from(right).entries()) {
      const wrong = right.slice(0, index) + (character === "7" ? "8" : "7") + right.slice(index + 1);
      expect(checkDigit(wrong)).not.toBe(digit);
    }
    expect(checkDigit("72AAPFU0939F1Z")).not.toBe(digit);
  });

  test("has the check digit of the Luhn algorithm to the base 36", () => {
    const worth = (digit: string) => Number.parseInt(digit, 36);
    const sumOf = (digits: Iterable<string>) =>
      Array.from(digits, worth).reduce((sum, value) => sum + value, 0);
    const digit = fc.integer({ min: 0, max: 35 }).map((value) => value.toString(36).toUpperCase());
    fc.assert(
      fc.property(fc.string({ unit: digit, minLength: 14, maxLength: 14 }), (text) => {
        const doubled = Array.from(text, (one, index) =>
          index % 2 === 0 ? one : (2 * worth(one)).toString(36),
        );
        expect(checkDigit(text)).toMatch(/^[0-9A-Z]$/);
        expect(sumOf(doubled.join("") + checkDigit(text)) % 36).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("GST within a total", () => {
  const total = fc.integer({ min: 0, max: 1_000_000_000 });
  const rate = fc.constantFrom(...GST_RATES);

  test("adds up to the total exactly, in equal halves within a state and as one across states", () => {
    fc.assert(
      fc.property(total, rate, fc.boolean(), (totalPaise, ratePercent, isInState) => {
        const split = splitTax(totalPaise, { ratePercent, isInState });
        const { taxablePaise, cgstPaise, sgstPaise, igstPaise } = split;
        expect(taxablePaise + cgstPaise + sgstPaise + igstPaise).toBe(totalPaise);
        expect(Object.values(split).every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
        expect(cgstPaise).toBe(sgstPaise);
        expect(isInState ? igstPaise : cgstPaise).toBe(0);
        const tax = cgstPaise + sgstPaise + igstPaise;
        expect(Math.abs(tax - (taxablePaise * ratePercent) / 100)).toBeLessThanOrEqual(1.5);
      }),
    );
  });

  test("of ₹118 at 18 % is ₹18", () => {
    const isInState = { ratePercent: 18, isInState: true };
    expect(splitTax(11_800, isInState)).toMatchObject({
      taxablePaise: 10_000,
      cgstPaise: 900,
      sgstPaise: 900,
    });
    expect(splitTax(11_800, { ...isInState, isInState: false })).toMatchObject({ igstPaise: 1800 });
  });
});

test.each([
  ["2026-03-31T18:29:59Z", 2025],
  ["2026-03-31T18:30:00Z", 2026],
  ["2027-01-01T00:00:00Z", 2026],
])("%s lies in the financial year that began in April %i in India", (moment, year) => {
  expect(financialYear(moment)).toBe(year);
});

test("an invoice number names the series, the years and the kind in at most sixteen characters", () => {
  const invoice = { series: "AP", year: 2026, seq: 41 };
  expect(invoiceNumber({ ...invoice, kind: "invoice" })).toBe("AP/2627/41");
  expect(invoiceNumber({ ...invoice, kind: "credit" })).toBe("AP/2627/C41");
  expect(INVOICE_NAMES).toEqual({ invoice: "Tax invoice", credit: "Credit note", debit: "Debit note" });
  expect(invoiceNumber({ series: "ABC", year: 2099, seq: 999_999, kind: "debit" })).toBe("ABC/9900/D999999");
});

test.each([
  ["India, Pune, Maharashtra", "27"],
  ["INDIA (Jammu & Kashmir)", "01"],
  ["India, Phagwara", "03"],
  ["Delhi or Goa", "03"],
  ["Goalpara", "03"],
  ["Goa", "30"],
  ["", "03"],
])("the place of supply for %j from a shop in Punjab has the code %s", (address, code) => {
  expect(placeOfSupply("03", address)).toBe(code);
});

test("the place of supply has the code that GSTINs of its state begin with", () => {
  const states = {
    "01": "Jammu and Kashmir",
    "02": "Himachal Pradesh",
    "03": "Punjab",
    "04": "Chandigarh",
    "05": "Uttarakhand",
    "06": "Haryana",
    "07": "Delhi",
    "08": "Rajasthan",
    "09": "Uttar Pradesh",
    "10": "Bihar",
    "11": "Sikkim",
    "12": "Arunachal Pradesh",
    "13": "Nagaland",
    "14": "Manipur",
    "15": "Mizoram",
    "16": "Tripura",
    "17": "Meghalaya",
    "18": "Assam",
    "19": "West Bengal",
    "20": "Jharkhand",
    "21": "Odisha",
    "22": "Chhattisgarh",
    "23": "Madhya Pradesh",
    "24": "Gujarat",
    "26": "Dadra and Nagar Haveli and Daman and Diu",
    "27": "Maharashtra",
    "29": "Karnataka",
    "30": "Goa",
    "31": "Lakshadweep",
    "32": "Kerala",
    "33": "Tamil Nadu",
    "34": "Puducherry",
    "35": "Andaman and Nicobar Islands",
    "36": "Telangana",
    "37": "Andhra Pradesh",
    "38": "Ladakh",
  };
  const found = Object.values(states).map((name) => [placeOfSupply("00", `India, ${name}`), name]);
  expect(Object.fromEntries(found)).toEqual(states);
});
