import type { Paise } from "#shared/money.ts";
import type { OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { mapKinds } from "./price-draft.ts";

export interface Raise {
  kinds: readonly OptionKind[];
  /** Negative values lower prices. */
  percent: number;
  /** New prices are rounded to multiples of this. */
  step: Paise;
}

/** Raises all prices of some lists. Free options stay free, and rounding makes no other one free. */
export function raisePrices(lists: PriceLists, { kinds, percent, step }: Raise): PriceLists {
  return mapKinds((kind) =>
    kinds.includes(kind)
      ? lists[kind].map((entry) => ({ ...entry, pricePaise: raise(entry.pricePaise, percent, step) }))
      : lists[kind],
  );
}

/** Computed in hundredths of a percent, to stay in whole numbers. */
function raise(paise: Paise, percent: number, step: Paise): Paise {
  const exact = (paise * (10_000 + Math.round(percent * 100))) / 10_000;
  return exact === 0 ? 0 : Math.max(step, Math.round(exact / step) * step);
}
