import type { Paise } from "#shared/money.ts";
import type { OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { mapKinds } from "./price-draft.ts";

export interface Raise {
  kinds: readonly OptionKind[];
  /** Below 0 it lowers. */
  percent: number;
  /** To what the new prices are rounded. */
  step: Paise;
}

/** Every price of some lists raised; what costs nothing goes on costing nothing. */
export function raisePrices(lists: PriceLists, { kinds, percent, step }: Raise): PriceLists {
  return mapKinds((kind) =>
    kinds.includes(kind)
      ? lists[kind].map((entry) => ({ ...entry, pricePaise: raise(entry.pricePaise, percent, step) }))
      : lists[kind],
  );
}

/** In hundredths of a per cent, so that 5 % of 1.50 is computed in whole numbers. */
function raise(paise: Paise, percent: number, step: Paise): Paise {
  const exact = (paise * (10_000 + Math.round(percent * 100))) / 10_000;
  return Math.max(0, Math.round(exact / step) * step);
}
