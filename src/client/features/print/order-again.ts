import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  areFilesDivided,
  type DescribedJobs,
  describeParts,
  layoutText,
  type OrderJob,
  PLAIN_LAYOUT,
} from "#shared/order-jobs.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { layoutOf } from "#shared/sheet-layout.ts";
import { randomKey } from "#ui/random-key.ts";
import { keepLimits, type OptionChoices } from "../files/print-file.ts";
import type { Draft } from "./draft.ts";
import { openDraft } from "./draft-store.ts";

/** What a new draft copies from an earlier order. */
interface EarlierOrder {
  number: string;
  copies: number;
  message: string;
  fulfilment: Fulfilment;
  address: DeliveryAddress | null;
  /** Ids of the chosen options of each job. */
  options: OptionChoices[];
  jobs: OrderJob[];
  quote: DescribedJobs["quote"];
}

/** Copies the order into this user's draft at the shop. */
export function fillDraftAgain(userId: string, shop: Shop, order: EarlierOrder): void {
  openDraft(userId, shop._id).setState((waiting) => draftAgain(shop, order, waiting), true);
}

/**
 * Copies an earlier order into a draft, as far as its shop still offers the options. The order's files are deleted;
 * files already in the draft stay with their pages.
 */
export function draftAgain(
  shop: Shop,
  {
    number,
    copies,
    message,
    fulfilment,
    address,
    options: [options = {}, ...others],
    jobs,
    quote,
  }: EarlierOrder,
  waiting: Pick<Draft, "files" | "pages">,
): Draft {
  const layout = layoutOf(jobs[0] ?? PLAIN_LAYOUT);
  // The division itself is made again, of the new files.
  const isColourApart =
    areFilesDivided(jobs) &&
    jobs.every((job) => layoutText(job) === layoutText(layout)) &&
    others.every((other) =>
      OPTION_KINDS.every((kind) => kind === "printedColours" || other[kind] === options[kind]),
    );
  const parts = isColourApart ? [] : describeParts({ files: [], jobs, quote }).slice(1);
  const isOffered = (kind: OptionKind) => shop[kind].some(({ _id }) => _id === options[kind]);
  const offered = OPTION_KINDS.filter(isOffered);
  const gone = (quote.jobs[0]?.lines ?? []).filter(({ kind }) => !isOffered(kind));
  return {
    files: keepLimits(waiting.files, waiting.pages || "all"),
    pages: "all",
    copies,
    message,
    layout,
    ...(isColourApart && { isColourApart }),
    fulfilment: fulfilment === "pickup" ? "pickup" : "delivery",
    ...(address && { address }),
    options: Object.fromEntries(offered.map((kind) => [kind, options[kind]])),
    orderKey: randomKey(),
    again: {
      number,
      gone: gone.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, name })),
      ...(parts.length > 0 && { parts: parts.map(({ name }) => name) }),
    },
  };
}
