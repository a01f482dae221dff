import type { Db } from "#db/open.ts";
import type { OrderEventTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { toRupees } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { orderValueOf } from "#shared/pricing.ts";
import { agreedAddress, agreedQuote, agreedShop } from "./orders.agreed.service.ts";
import {
  blankOrders,
  findEventsOf,
  findLinesOf,
  findOpenNumbers,
  findOrderedFilesOf,
  findOrdersOf,
  type OrderedFile,
} from "./orders.personal-queries.ts";

/** Everything about the orders of this user, the newest first; amounts in rupees. */
export async function exportOrders(db: Db, userId: string) {
  const orders = await findOrdersOf(db, userId);
  const lines = Map.groupBy(await findLinesOf(db, userId), byOrder);
  const events = Map.groupBy(await findEventsOf(db, userId), byOrder);
  const files = Map.groupBy(await findOrderedFilesOf(db, userId), byOrder);
  return orders.map((order) => ({
    ...orderFacts(order),
    lines: linesFacts(order, lines.get(order.id) ?? []),
    history: historyFacts(events.get(order.id) ?? []),
    files: (files.get(order.id) ?? []).map(fileFacts),
  }));
}

function byOrder({ order_id }: { order_id: string }): string {
  return order_id;
}

function orderFacts(order: OrderTable) {
  return {
    number: order.number,
    state: order.state,
    placedAt: order.created_at,
    shop: agreedShop(order),
    noOfPages: order.pages,
    noOfCopies: order.copies,
    sheets: order.sheets,
    message: order.message,
    userEmail: order.user_email,
    fulfilment: order.fulfilment,
    address: agreedAddress(order),
    paidAt: order.paid_at,
    stars: order.stars,
    ...orderValueOf({
      subTotalPaise: order.sub_total_paise,
      taxPaise: order.tax_paise,
      deliveryFeePaise: order.delivery_fee_paise,
      totalPaise: order.total_paise,
    }),
  };
}

function linesFacts(order: OrderTable, rows: OrderLineTable[]) {
  return agreedQuote(order, rows).lines.map(({ kind, name, unitPaise, basis, quantity, amountPaise }) => ({
    option: OPTION_FIELDS[kind].label,
    name,
    unitPrice: toRupees(unitPaise),
    basis,
    quantity,
    amount: toRupees(amountPaise),
  }));
}

function historyFacts(events: OrderEventTable[]) {
  return events.map(({ state, created_at: at, reason }) => ({ state, at, reason }));
}

function fileFacts({ name, bytes, pages, page_ranges: printedPages, erasedAt }: OrderedFile) {
  return { name, bytes, pages, printedPages, deletedAt: erasedAt };
}

/** Numbers of the orders of this user that somebody still has to do something about. */
export function listOpenNumbers(trx: Trx, userId: string): Promise<string[]> {
  return findOpenNumbers(trx, userId);
}

/** Keeps the orders of this user, and of them nothing that says whose they were. */
export function anonymiseOrders(trx: Trx, userId: string): Promise<void> {
  return blankOrders(trx, userId);
}
