import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { countSides, jobOf, type OrderJob, PLAIN_LAYOUT, printedSidesOfEach } from "#shared/order-jobs.ts";
import type { ChosenFulfilment, Fulfilment } from "#shared/order-states.ts";
import { priceJob, type Quote } from "#shared/pricing.ts";
import type { Shop, ShopOption } from "#shared/schemas/shops.ts";
import { type OrderPageData, summariseUploads } from "../files/print-file.ts";
import type { Draft, OptionChoices } from "./draft.ts";

export type ChosenOptions = Record<OptionKind, ShopOption>;

/** A draft evaluated at a shop. `pages` and `copies` are "" while their fields are empty. */
export interface PrintPlan {
  /** The number of chosen pages of all uploaded files. */
  totalPages: number;
  /** The uploaded files and which of their pages are printed. */
  files: OrderPageData[];
  pages: number | "";
  copies: number | "";
  /** The student's choices: those of the draft, and where it has none the remembered ones. */
  choices: OptionChoices;
  /** Null if the shop's price list is incomplete. */
  options: ChosenOptions | null;
  fulfilment: Fulfilment;
  job: OrderJob;
  /** The printed pages of one copy. */
  sides: number;
  /** Null if there is nothing to price yet. */
  quote: Quote | null;
  /** The price with each page on a side of its own; null if there is nothing to price yet. */
  plainQuote: Quote | null;
}

/** @param fulfilment by default the one that the student chose, if the shop offers it */
export function planPrint(
  shop: Shop,
  draft: Draft,
  remembered: OptionChoices,
  fulfilment: Fulfilment = fulfilmentAt(shop, draft.fulfilment),
): PrintPlan {
  const { totalPages } = summariseUploads(draft.files);
  const pages = pagesToPrint(draft.pages, totalPages);
  const { orderPageData: files } = summariseUploads(draft.files, pages || "all");
  const { copies } = draft;
  const choices = { ...remembered, ...draft.options };
  const options = chooseOptions(shop, choices);
  const job = jobOf(files, draft.layout);
  const price = (of: OrderJob) =>
    options && pages && copies
      ? priceJob({ pages: printedSidesOfEach(files, of), copies, options, fulfilment })
      : null;
  return {
    totalPages,
    files,
    pages,
    copies,
    choices,
    options,
    fulfilment,
    job,
    sides: countSides(files, [job]),
    quote: price(job),
    plainQuote: price(jobOf(files, PLAIN_LAYOUT)),
  };
}

/** Pickup only if the shop offers it, else delivery. */
export function fulfilmentAt(
  { offersPickup }: Pick<Shop, "offersPickup">,
  wished: ChosenFulfilment,
): ChosenFulfilment {
  return offersPickup ? wished : "delivery";
}

function pagesToPrint(pages: Draft["pages"], totalPages: number): number | "" {
  if (pages === "all") return totalPages;
  return pages === "" ? "" : Math.min(pages, totalPages);
}

/** The student's choice in each list, or its first option, the shop's default; of what has run out only the rest. */
function chooseOptions(shop: Shop, choices: OptionChoices): ChosenOptions | null {
  const chosen = OPTION_KINDS.map((kind) => {
    const left = shop[kind].filter(({ isOut }) => !isOut);
    const options = left.length > 0 ? left : shop[kind];
    return [kind, options.find(({ _id }) => _id === choices[kind]) ?? options[0]] as const;
  });
  if (chosen.some(([, option]) => !option)) return null;
  return Object.fromEntries(chosen) as ChosenOptions;
}
