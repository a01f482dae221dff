import type { Db } from "#db/open.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { countPages, readPageRanges } from "#shared/page-ranges.ts";
import { pagesText } from "#shared/page-words.ts";
import { priceJob, type Quote, type Selection } from "#shared/pricing.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { resolveOwnFiles } from "../files/files.service.ts";
import { sha256 } from "../keyring.ts";
import { orderText } from "../queue/queue.words.service.ts";
import { timedId } from "../timed-id.ts";
import { findAgreedLines, findOwnFiles, findOwnOrder } from "./orders.detail-queries.ts";
import { keepOrder, newOrderNumber, quotedFigures } from "./orders.keeping.service.ts";
import { type ChosenFile, choosePages } from "./orders.pages.ts";
import { newFulfilment } from "./orders.pickup.ts";

export type ReprintFiles = Pick<OrderData, "filesUrl" | "pageRanges">;

/** How many pages the files of a reprint may have: those that were chosen of the order's own files. */
export async function reprintablePages(db: Db | Trx, orderId: string): Promise<number> {
  const files = await findOwnFiles(db, orderId);
  return files.reduce((sum, { pages, pageRanges }) => {
    const reading = pageRanges === null ? null : readPageRanges(pageRanges, pages);
    return sum + (reading?.ok ? countPages(reading.ranges) : pages);
  }, 0);
}

/**
 * Stores an order that prints one of the caller's own again: the same options, copies, message and address, at no
 * charge, whatever the shop offers today. Throws NOT_FOUND for somebody else's order, INVALID_INPUT for more pages than
 * it had, and what storing any order throws. The caller calls `wakeMail` and rings `queueBell` after the commit.
 */
export async function storeReprint(
  trx: Trx,
  ctx: Context<SignedIn>,
  { originalId, filesUrl, pageRanges }: ReprintFiles & { originalId: string },
): Promise<OrderTable> {
  const original = await findOwnOrder(trx, { id: originalId, userId: ctx.actor.user._id });
  if (!original) throw new AppError("NOT_FOUND", "This order was not found");
  const { upiId, ...facts } = original;
  const files = choosePages(await resolveOwnFiles(ctx, trx, filesUrl), pageRanges);
  const pages = Math.min(facts.pages, await agreedPages(trx, originalId, files));
  const lines = await findAgreedLines(trx, originalId);
  const quote = freeQuote({ ...facts, pages }, sidesOf(facts), lines);
  const order = newReprint(ctx, { ...facts, pages }, quote);
  const optionIds = optionIdsOf(lines);
  await keepOrder(trx, ctx, { order, quote, optionIds, upiId, files, reprintOf: facts.number });
  return order;
}

async function agreedPages(trx: Trx, originalId: string, files: ChosenFile[]): Promise<number> {
  const chosen = files.reduce((sum, { chosenPages }) => sum + chosenPages, 0);
  const allowed = await reprintablePages(trx, originalId);
  if (chosen <= allowed) return chosen;
  const message = `The order had ${pagesText(allowed)}, and these are ${chosen}. Please choose no more than were ordered`;
  throw new AppError("INVALID_INPUT", message, { issues: [{ path: "filesUrl", message }] });
}

/** Two where the order was printed on both sides of its sheets. */
function sidesOf({ sheets, pages, copies }: OrderTable): number {
  return sheets < pages * copies ? 2 : 1;
}

function freeQuote({ pages, copies }: OrderTable, sides: number, lines: OrderLineTable[]): Quote {
  const options = lines.map(({ kind, name, basis }) => [kind, { name, basis, sides, pricePaise: 0 }]);
  return priceJob({ pages, copies, options: Object.fromEntries(options) as Selection });
}

function optionIdsOf(lines: OrderLineTable[]): Record<OptionKind, string> {
  const ids = OPTION_KINDS.map((kind) => [kind, lines.find((line) => line.kind === kind)?.option_id]);
  return Object.fromEntries(ids) as Record<OptionKind, string>;
}

function newReprint(ctx: Context<SignedIn>, original: OrderTable, quote: Quote): OrderTable {
  const { user } = ctx.actor;
  const number = newOrderNumber();
  return {
    ...original,
    ...quotedFigures(quote),
    ...newFulfilment(original.fulfilment),
    id: timedId(),
    number,
    state: "placed",
    user_email: user.email,
    idempotency_key: null,
    request_hash: sha256(original.id),
    created_at: ctx.now().toISOString(),
    paid_at: null,
    paid_by: null,
    reprint_of: original.id,
    search_text: orderText({ number }, user),
  };
}
