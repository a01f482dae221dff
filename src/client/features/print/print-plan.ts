import type { Fulfilment } from "#shared/fulfilment.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { priceJob, type Quote } from "#shared/pricing.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import { type OrderPageData, summariseUploads } from "../files/print-file.ts";
import type { Draft, OptionChoices } from "./draft.ts";

export type ChosenOptions = Record<OptionKind, ShopOption>;

/** What a draft comes to at a shop. `pages` and `copies` are "" while their field is emptied. */
export interface PrintPlan {
  /** Pages that were chosen of all uploaded files together. */
  totalPages: number;
  /** The uploaded files and which of their pages are printed. */
  files: OrderPageData[];
  pages: number | "";
  copies: number | "";
  /** Null at a shop whose price list is not complete. */
  options: ChosenOptions | null;
  fulfilment: Fulfilment;
  /** Null until there is something to price. */
  quote: Quote | null;
}

export function planPrint(shop: Shop, draft: Draft, remembered: OptionChoices): PrintPlan {
  const { totalPages } = summariseUploads(draft.files);
  const pages = pagesToPrint(draft.pages, totalPages);
  const { orderPageData: files } = summariseUploads(draft.files, pages || "all");
  const { copies } = draft;
  const options = chooseOptions(shop, { ...remembered, ...draft.options });
  const fulfilment = fulfilmentAt(shop, draft.fulfilment);
  const quote = options && pages && copies ? priceJob({ pages, copies, options, fulfilment }) : null;
  return { totalPages, files, pages, copies, options, fulfilment, quote };
}

/** What was wished, as far as the shop offers it. */
export function fulfilmentAt({ offersPickup }: Pick<Shop, "offersPickup">, wished: Fulfilment): Fulfilment {
  return offersPickup ? wished : "delivery";
}

function pagesToPrint(pages: Draft["pages"], totalPages: number): number | "" {
  if (pages === "all") return totalPages;
  return pages === "" ? "" : Math.min(pages, totalPages);
}

/** The student's choice of each list, or its first option: the shop's usual one. */
function chooseOptions(shop: Shop, choices: OptionChoices): ChosenOptions | null {
  const chosen = OPTION_KINDS.map((kind) => {
    const options = shop[kind];
    return [kind, options.find(({ _id }) => _id === choices[kind]) ?? options[0]] as const;
  });
  if (chosen.some(([, option]) => !option)) return null;
  return Object.fromEntries(chosen) as ChosenOptions;
}
