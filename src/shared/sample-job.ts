import type { Paise } from "./money.ts";
import { mapKinds, OPTION_KINDS, type OptionKind } from "./options.ts";
import { type PricedOption, priceJob, quantitiesOf, type Selection } from "./pricing.ts";

export const SAMPLE_JOB = { pages: 20, copies: 1, label: "20 pages, black and white, both sides" } as const;

interface StockedOption extends PricedOption {
  isOut?: boolean;
  inColour?: boolean;
}

/**
 * The price of the sample job at a shop: black and white and on both sides if the shop has that at all, and else of each list what
 * costs least for this job. Null where nothing of that is in stock.
 */
export function samplePricePaise(lists: Record<OptionKind, readonly StockedOption[]>): Paise | null {
  const { pages, copies } = SAMPLE_JOB;
  const bothSides = lists.printingSides.filter(({ sides }) => sides === 2);
  const black = lists.printedColours.filter(({ inColour }) => !inColour);
  const wanted = {
    ...lists,
    printingSides: bothSides.length > 0 ? bothSides : lists.printingSides,
    printedColours: black.length > 0 ? black : lists.printedColours,
  };
  const stocked = mapKinds((kind) => wanted[kind].filter(({ isOut }) => !isOut));
  const quantities = quantitiesOf({ pages: [pages], copies, sides: bothSides.length > 0 ? 2 : 1 });
  const costOf = ({ pricePaise, basis }: PricedOption) => pricePaise * quantities[basis];

  const chosen = new Map<OptionKind, PricedOption>();
  for (const kind of OPTION_KINDS) {
    const [first, ...others] = stocked[kind];
    if (!first) return null;
    chosen.set(
      kind,
      others.reduce((best, option) => (costOf(option) < costOf(best) ? option : best), first),
    );
  }
  const options = Object.fromEntries(chosen) as Selection;
  return priceJob({ pages, copies, options }).totalPaise;
}
