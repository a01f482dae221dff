import type { Paise } from "./money.ts";
import { OPTION_KINDS, type OptionKind } from "./options.ts";
import { type PricedOption, priceJob, type Selection } from "./pricing.ts";

export const SAMPLE_JOB = { pages: 20, copies: 1, label: "20 pages, black and white, both sides" } as const;

/**
 * The price of the sample job at a shop: the cheapest option of each list (the cheapest colour is black and white), on
 * both sides if possible. Null while a list is empty.
 */
export function samplePricePaise(lists: Record<OptionKind, readonly PricedOption[]>): Paise | null {
  const chosen = new Map<OptionKind, PricedOption>();
  for (const kind of OPTION_KINDS) {
    const bothSides = lists[kind].filter((option) => option.sides === 2);
    const option = cheapest(bothSides.length > 0 ? bothSides : lists[kind]);
    if (!option) return null;
    chosen.set(kind, option);
  }
  const options = Object.fromEntries(chosen) as Selection;
  return priceJob({ pages: SAMPLE_JOB.pages, copies: SAMPLE_JOB.copies, options }).totalPaise;
}

function cheapest(options: readonly PricedOption[]): PricedOption | undefined {
  return options.reduce<PricedOption | undefined>(
    (best, option) => (best && best.pricePaise <= option.pricePaise ? best : option),
    undefined,
  );
}
