import { randomInt } from "node:crypto";
import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OptionKind } from "#shared/options.ts";
import type { Quote } from "#shared/pricing.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import type { CountedOrder } from "../figures/figures.counting.service.ts";
import { attachFiles } from "../files/files.service.ts";
import { enqueueOrder } from "../queue/queue.arrivals.service.ts";
import { timedId } from "../timed-id.ts";
import { type PlacedFacts, queueOrderMails } from "./orders.notices.ts";
import { insertOrder, insertOrderEvent, insertOrderFiles, insertOrderLines } from "./orders.queries.ts";

/** An order with all that is kept beside it. */
export interface NewOrder extends PlacedFacts {
  /** Ids of the chosen options. */
  optionIds: Record<OptionKind, string>;
}

/**
 * Stores a new order with its lines and its files, mails of it, and puts it before the staff. Throws CONFLICT where its
 * key was used meanwhile or a file is no longer there. The caller calls `wakeMail` and rings `queueBell` after the
 * commit.
 */
export async function keepOrder(trx: Trx, ctx: Context<SignedIn>, placed: NewOrder): Promise<void> {
  const { order, quote, optionIds, files } = placed;
  if (!(await insertOrder(trx, order))) {
    throw new AppError("CONFLICT", "This order is being placed already. Please wait a moment");
  }
  const fileIds = files.map((file) => file.id);
  await attachFiles(trx, { orderId: order.id, ownerId: order.user_id, fileIds });
  await insertOrderFiles(trx, order.id, files);
  await insertOrderLines(
    trx,
    quote.lines.map((line) => ({
      order_id: order.id,
      kind: line.kind,
      option_id: optionIds[line.kind],
      name: line.name,
      unit_paise: line.unitPaise,
      basis: line.basis,
      quantity: line.quantity,
      amount_paise: line.amountPaise,
    })),
  );
  await insertOrderEvent(trx, {
    id: timedId(),
    order_id: order.id,
    state: order.state,
    by_user_id: order.user_id,
    reason: null,
    created_at: order.created_at,
  });
  await queueOrderMails(trx, ctx, placed);
  await enqueueOrder(trx, ctx, {
    id: order.id,
    counted: countedOrder(placed),
    student: ctx.actor.user,
  });
}

function countedOrder({ order, quote }: NewOrder): CountedOrder {
  return {
    shopId: order.shop_id,
    placedAt: order.created_at,
    isCancelled: false,
    pages: order.pages,
    copies: order.copies,
    sheets: order.sheets,
    totalPaise: order.total_paise,
    lines: quote.lines,
  };
}

/** Letters and digits that are not taken for one another when read aloud or copied by hand. */
const NUMBER_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Eight random characters in two groups; they tell nobody how many orders there are. */
export function newOrderNumber(): string {
  const pick = () => NUMBER_ALPHABET.charAt(randomInt(NUMBER_ALPHABET.length));
  const group = () => Array.from({ length: 4 }, pick).join("");
  return `${group()}-${group()}`;
}

export type QuotedFigures = Pick<
  OrderTable,
  "sheets" | "sub_total_paise" | "tax_paise" | "delivery_fee_paise" | "total_paise"
>;

/** What an order keeps of its price beside its lines. */
export function quotedFigures(quote: Quote): QuotedFigures {
  return {
    sheets: quote.sheets,
    sub_total_paise: quote.subTotalPaise,
    tax_paise: quote.taxPaise,
    delivery_fee_paise: quote.deliveryFeePaise,
    total_paise: quote.totalPaise,
  };
}
