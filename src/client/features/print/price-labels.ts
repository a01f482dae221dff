import { counted } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { type Basis, PER_BASIS } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import type { ShopOption } from "#shared/schemas/shops.ts";

/** The calculation of a price line: "32 pages × 2 copies × ₹0.50". */
export function explainLine({ basis, quantity, unitPaise }: PriceLine, copies: number): string {
  const copiesText = counted(copies, "copy");
  const perCopy = quantity / copies;
  const factors: Record<Basis, string[]> = {
    page: [counted(perCopy, "page"), copiesText],
    sheet: [counted(perCopy, "sheet"), copiesText],
    copy: [copiesText],
    order: ["once"],
  };
  return [...factors[basis], formatPaise(unitPaise)].join(" × ");
}

/** An option with its price: "Spiral Binding · ₹35.00 a copy". */
export function labelOption({ name, pricePaise, basis, isOut }: ShopOption): string {
  if (isOut) return `${name} · out of stock`;
  return `${name} · ${pricePaise === 0 ? "no charge" : `${formatPaise(pricePaise)} ${PER_BASIS[basis]}`}`;
}

/** Options as the choices of a select. */
export function optionChoices(options: readonly ShopOption[]) {
  return options.map((option) => ({
    value: option._id,
    label: labelOption(option),
    disabled: option.isOut === true,
  }));
}
