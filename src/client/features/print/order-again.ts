import type { Fulfilment } from "#shared/fulfilment.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { keepLimits } from "../files/print-file.ts";
import { randomKey } from "../files/random-key.ts";
import type { Draft, OptionChoices } from "./draft.ts";
import { openDraft } from "./draft-store.ts";
import { saveAddress } from "./order-store.ts";

/** An order that is placed once more, as far as a new draft is made of it. */
export interface EarlierOrder {
  number: string;
  copies: number;
  message: string;
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  /** Ids of the options that were chosen. */
  options: OptionChoices;
  quote: { lines: Pick<PriceLine, "kind" | "name">[] };
}

/** Fills the draft of this user at the shop, and the address. */
export function fillDraftAgain(userId: string, shop: Shop, order: EarlierOrder): void {
  openDraft(userId, shop._id).setState((waiting) => draftAgain(shop, order, waiting));
  if (order.address) saveAddress(order.address);
}

/**
 * What of an earlier order comes back into a draft: what its shop still offers. The order's own files are gone; those
 * that wait in the draft stay, with their pages.
 */
export function draftAgain(
  shop: Shop,
  { number, copies, message, fulfilment, options, quote }: EarlierOrder,
  waiting: Pick<Draft, "files" | "pages">,
): Draft {
  const isOffered = (kind: OptionKind) => shop[kind].some(({ _id }) => _id === options[kind]);
  const offered = OPTION_KINDS.filter(isOffered);
  const gone = quote.lines.filter(({ kind }) => !isOffered(kind));
  return {
    files: keepLimits(waiting.files, waiting.pages || "all"),
    pages: "all",
    copies,
    message,
    fulfilment,
    options: Object.fromEntries(offered.map((kind) => [kind, options[kind]])),
    orderKey: randomKey(),
    again: {
      number,
      gone: gone.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, name })),
    },
  };
}
