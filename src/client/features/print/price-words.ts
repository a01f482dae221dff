import { formatPaise } from "#shared/money.ts";
import { type Basis, PER_BASIS } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import type { ShopOption } from "#shared/schemas/shops.ts";

/** How an amount of a price line comes about: "32 pages × 2 copies × ₹0.50". */
export function explainLine({ basis, quantity, unitPaise }: PriceLine, copies: number): string {
  const copiesText = count(copies, "copy", "copies");
  const perCopy = quantity / copies;
  const factors: Record<Basis, string[]> = {
    page: [count(perCopy, "page", "pages"), copiesText],
    sheet: [count(perCopy, "sheet", "sheets"), copiesText],
    copy: [copiesText],
    order: ["once"],
  };
  return [...factors[basis], formatPaise(unitPaise)].join(" × ");
}

/** An option with what it adds: "Spiral Binding · ₹35.00 a copy". */
export function labelOption({ name, pricePaise, basis }: ShopOption): string {
  return `${name} · ${pricePaise === 0 ? "no charge" : `${formatPaise(pricePaise)} ${PER_BASIS[basis]}`}`;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en-IN")} ${number === 1 ? one : many}`;
}
