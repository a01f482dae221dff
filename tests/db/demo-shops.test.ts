import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDemoShops } from "#db/seed/seed.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { priceJob, type Selection } from "#shared/pricing.ts";
import type { SeedShop } from "#shared/schemas/seed.ts";

const PUBLIC_FOLDER = join(import.meta.dirname, "../../src/client/public");
const demo = readDemoShops().shops;

test("the demo has at least eight shops, each near a different college", () => {
  expect(demo.length).toBeGreaterThanOrEqual(8);
  for (const key of ["id", "shopName", "college", "shopImage", "email", "contactNumber"] as const) {
    expect(new Set(demo.map((shop) => shop[key])).size).toBe(demo.length);
  }
});

describe.each(demo)("$shopName", (shop) => {
  test("offers two to six options in each of the six lists (one paper size is enough)", () => {
    for (const kind of OPTION_KINDS) {
      expect(shop[kind].length).toBeGreaterThanOrEqual(kind === "paperSizes" ? 1 : 2);
      expect(shop[kind].length).toBeLessThanOrEqual(6);
    }
  });

  test("prints only on 70 GSM A4, as the home page says", () => {
    for (const paper of shop.paperTypes) expect(paper.name).toMatch(/^70 GSM\b/);
    for (const size of shop.paperSizes) expect(size.name).toMatch(/^A4\b/);
    expect(shop.paperSizes[0]?.name).toBe("A4");
  });

  test("prints one side or both, in black and white or colour", () => {
    expect(shop.printingSides.map(({ name, sides }) => ({ name, sides }))).toEqual([
      { name: "Single side", sides: 1 },
      { name: "Both sides", sides: 2 },
    ]);
    expect(shop.printedColours.slice(0, 2).map(({ name }) => name)).toEqual(["Black & White", "Colour"]);
    const [single, both] = shop.printingSides;
    expect(both?.price).toBeLessThan(single?.price ?? 0);
  });

  test("shows as cost per page its cheapest black and white, single-sided print", () => {
    const quote = priceJob({ pages: 1, copies: 1, options: cheapestBlackAndWhite(shop) });

    expect(shop.perPageCost).toBe(quote.subTotalPaise - quote.roundingPaise);
  });

  test("has contact data that reaches nobody", () => {
    expect(shop.email).toMatch(/\.example$/);
    expect(shop.contactNumber).toMatch(/^\+91 00000 000\d\d$/);
  });

  test("has a rating from 3.8 to 4.9", () => {
    expect(shop.ratings).toBeGreaterThanOrEqual(38);
    expect(shop.ratings).toBeLessThanOrEqual(49);
  });

  test("has its own small picture without text or script, served by the store", async () => {
    expect(shop.shopImage).toBe(`/shop-images/${shop.id}.svg`);

    const svg = await readFile(join(PUBLIC_FOLDER, shop.shopImage), "utf8");

    expect(Buffer.byteLength(svg)).toBeLessThan(6000);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 400 300"/);
    expect(svg).not.toMatch(/<text|<script|<image|<foreignObject|href=|\son\w+=/);
  });
});

test("most shops price by the contract's sum alone, the others show every other basis", () => {
  const isLiteral = (shop: SeedShop) => bases(shop, OPTION_KINDS).every((basis) => basis === "page");
  expect(demo.filter(isLiteral).length).toBeGreaterThan(demo.length / 2);
  const used = demo.flatMap((shop) => bases(shop, OPTION_KINDS));
  expect(new Set(used)).toEqual(new Set(["page", "sheet", "copy", "order"]));
});

test("no two shop pictures are the same", async () => {
  const svgs = await Promise.all(demo.map((shop) => readFile(join(PUBLIC_FOLDER, shop.shopImage), "utf8")));

  expect(new Set(svgs).size).toBe(demo.length);
});

function bases(shop: SeedShop, kinds: readonly OptionKind[]) {
  return kinds.flatMap((kind) => shop[kind].map((option) => option.basis));
}

/** The cheapest option of each list, of those that print black and white on one side. */
function cheapestBlackAndWhite(shop: SeedShop): Selection {
  const entries = OPTION_KINDS.map((kind) => {
    const options = shop[kind]
      .map((option) => ({ ...option, pricePaise: option.price, sides: "sides" in option ? option.sides : 1 }))
      .filter((option) => option.sides === 1)
      .filter((option) => kind !== "printedColours" || option.name === "Black & White");
    return [kind, options.toSorted((a, b) => a.pricePaise - b.pricePaise)[0]];
  });
  return Object.fromEntries(entries);
}
