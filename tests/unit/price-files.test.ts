import { describe, expect, test } from "vitest";
import { readActive, readBasis, readInk, readSides } from "#admin/features/prices/price-cells.ts";
import {
  readPriceCsv,
  readPriceJson,
  writePriceCsv,
  writePriceJson,
} from "#admin/features/prices/price-files.ts";
import { parseRupees, parseSignedRupees, rupeesText, writePrice } from "#admin/lib/rupees.ts";
import { readTextFile } from "#admin/lib/text-files.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { priceEntry, smallPriceList } from "../factories/shops.ts";

describe("a typed amount", () => {
  test.each([
    ["35", 3500],
    ["35.5", 3550],
    [" ₹ 1,250.50 ", 125_050],
    ["₹1,23,456", 12_345_600],
    ["Rs. 12", 1200],
    ["rs12.05", 1205],
    ["40/-", 4000],
    ["0", 0],
    ["1.10", 110],
    ["₹१,२५०.५०", 125_050],
  ])("%j is %i paise", (text, paise) => expect(parseRupees(text)).toBe(paise));

  test.each(["", " ", "-1", "12.505", "12,50", "1,2", "a lot", "1e3", "₹", "=1+1", "99999999999"])(
    "%j is none",
    (text) => expect(parseRupees(text)).toBeNull(),
  );

  test.each([
    ["40", 4000],
    ["-₹40.00", -4000],
    [" − 1,250.50", -125_050],
    ["--1", null],
    ["-", null],
  ])("%j of a drawer is %j paise", (text, paise) => expect(parseSignedRupees(text)).toBe(paise));

  test("is read back as it is shown, and as it is filled in", () => {
    for (const paise of [0, 5, 110, 3550, 100_000_000]) {
      expect([writePrice(paise), rupeesText(paise)].map(parseRupees)).toEqual([paise, paise]);
    }
    expect([15_700, 15_750].map(rupeesText)).toEqual(["157", "157.50"]);
  });
});

test("the other columns accept the words that people use", () => {
  expect(["page", "per sheet", "a copy", "Copies", " Order "].map(readBasis)).toEqual([
    "page",
    "sheet",
    "copy",
    "copy",
    "order",
  ]);
  expect(["1", "Single side", "both sides", "2"].map(readSides)).toEqual([1, 1, 2, 2]);
  expect(["yes", "On", "no", "OFF", "0"].map(readActive)).toEqual([true, true, false, false, false]);
  expect(["Colour", "in color", "black", " B/W"].map(readInk)).toEqual([true, null, false, false]);
  expect([readBasis("kilo"), readSides("3"), readActive("perhaps")]).toEqual([null, null, null]);
});

const LISTS = {
  ...smallPriceList(),
  printedColours: [priceEntry("Black & White", 50), priceEntry("CMYK", 400, { inColour: true })],
  bindingOptions: [
    priceEntry("Spiral, plastic", 3505, { basis: "copy" }),
    priceEntry('So-called "hard"', 18_500, { basis: "order", active: false }),
    priceEntry("काग़ज़", 1),
  ],
  coverOptions: ["=HYPERLINK(1)", "+1", "-5", "@x", "'=quoted", "plain"].map((name) => priceEntry(name, 100)),
};

describe("a price list as CSV", () => {
  test("is read back unchanged", () => {
    expect(readPriceCsv(writePriceCsv(LISTS))).toEqual({ lists: LISTS, issues: [] });
  });

  test("contains nothing that a spreadsheet would run as a formula", () => {
    const cells = writePriceCsv(LISTS)
      .split(/\r\n/)
      .flatMap((line) => line.split(","))
      .map((cell) => cell.replace(/^"/, ""));
    expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
    expect(cells).toContain("'=HYPERLINK(1)\"");
  });

  test("accepts semicolons, tabs, synonyms, reordered columns and missing optional columns", () => {
    for (const separator of [";", "\t"]) {
      const text = [
        ["option", "LIST", "price", "Remarks", "Per"],
        ["Wire", "Binding", "Rs. 40/-", "new", "per copy"],
        ["", "", "", "", ""],
        ["Glossy", "paperTypes", "2", "", ""],
      ];
      expect(readPriceCsv(text.map((row) => row.join(separator)).join("\n"))).toEqual({
        lists: {
          bindingOptions: [{ name: "Wire", pricePaise: 4000, basis: "copy", sides: 1, inColour: false }],
          paperTypes: [{ name: "Glossy", pricePaise: 200, sides: 1, inColour: false }],
        },
        issues: [],
      });
    }
  });

  test("reports every issue with its row", () => {
    const text = [
      "List,Option,Price,Per,Sides,On",
      "Binding,Spiral,35,copy,,yes",
      "Bindings,Wire,40,copy,,yes",
      "",
      "Binding,,abc,kilo,,perhaps",
      "Binding,Spiral,1.005,,,",
      "Printing side,Both,1,,3,",
      "Cover,Card,,,,",
      "Binding,spiral ,36,copy,,yes",
    ].join("\n");
    expect(readPriceCsv(text).issues).toEqual([
      { row: 3, message: '"Bindings" is not one of the six lists' },
      { row: 5, message: "Option name is required" },
      { row: 5, message: '"abc" is not a price in rupees' },
      { row: 5, message: '"kilo" is not page, sheet, copy or order' },
      { row: 5, message: '"perhaps" is not yes or no' },
      { row: 6, message: '"1.005" is not a price in rupees' },
      { row: 7, message: '"3" is not 1 or 2 sides' },
      { row: 8, message: "The price is missing" },
      { row: 9, message: '"spiral" is in this list twice' },
    ]);
  });

  test.each(["", "Name,Cost\nSpiral,35", "\u0000\u0001\u0002"])(
    "%j is refused because of its headings",
    (text) => {
      expect(readPriceCsv(text).issues).toEqual([
        { row: 1, message: "The first row must have the headings List, Option, Price" },
      ]);
    },
  );

  test("is refused if it only has headings", () => {
    expect(readPriceCsv("List,Option,Price\n").issues).toEqual([
      { row: null, message: "The file has no options in it" },
    ]);
  });
});

describe("a price list as JSON", () => {
  test("is read back unchanged", () => {
    expect(readPriceJson(writePriceJson(LISTS))).toEqual({ lists: LISTS, issues: [] });
  });

  test("is read back unchanged with empty lists and inactive options", () => {
    const lists = { ...LISTS, paperTypes: [], paperSizes: [priceEntry("A4", 0, { active: false })] };
    expect(readPriceJson(writePriceJson(lists))).toEqual({ lists, issues: [] });
  });

  test("may contain only some of the lists", () => {
    const { paperSizes } = smallPriceList();
    const text = JSON.stringify({ paperSizes: [{ name: "A4", price: 0 }] });
    expect(readPriceJson(text)).toEqual({ lists: { paperSizes }, issues: [] });
  });

  test("keeps the mark of colour, and says nothing of it where the file says nothing", () => {
    const colour = { name: "CMYK", price: 4 };
    const marks = (option: object) =>
      readPriceJson(JSON.stringify({ printedColours: [option] })).lists.printedColours?.[0]?.inColour;
    expect([{ ...colour, inColour: true }, { ...colour, inColour: false }, colour].map(marks)).toEqual([
      true,
      false,
      undefined,
    ]);
    const paper = JSON.stringify({ paperTypes: [{ ...colour, inColour: true }] });
    expect(readPriceJson(paper).issues).toHaveLength(1);
  });

  test("reports every issue with its place", () => {
    const text = JSON.stringify({
      paperTypes: [{ name: "", price: "x" }],
      printingSides: [{ name: "One", price: 1 }],
      extras: [],
    });
    expect(readPriceJson(text).issues.map(({ message }) => message.split(":")[0])).toEqual([
      "paperTypes, option 1, name",
      "paperTypes, option 1, price",
      "printingSides, option 1 (One), sides",
      "Unrecognized key",
    ]);
    expect(readPriceJson("{").issues[0]?.message).toMatch(/^The file is not JSON: /);
  });
});

test("CSV and JSON have a name for every list", () => {
  const json = JSON.parse(writePriceJson(LISTS));
  expect(Object.keys(json)).toEqual([...OPTION_KINDS]);
});

test.each([
  ["UTF-8 with its mark", Buffer.from("\uFEFFPrice\t₹1"), "Price\t₹1"],
  ["what Excel calls Unicode text", Buffer.from("\uFEFFPrice\t₹1", "utf16le"), "Price\t₹1"],
  ["an older spreadsheet", Buffer.from("Caf\xe9", "latin1"), "Café"],
  ["an empty file", Buffer.alloc(0), ""],
])("a file as %s is read", async (_kind, bytes, text) => {
  expect(await readTextFile(new Blob([bytes]))).toBe(text);
});
