import type { Trx } from "#db/transaction.ts";
import { additionsOf } from "./figures.additions.ts";
import { addToDays, addToOptions, type CountedOrder, findCountedOrder } from "./figures.counting-queries.ts";

export type { CountedOrder } from "./figures.counting-queries.ts";

/** Adds a new order to the figures, within the transaction that stores it. */
export async function countPlaced(trx: Trx, order: CountedOrder): Promise<void> {
  await countOrders(trx, [order]);
}

/** Makes an order that stood in the figures one of the cancelled, within the transaction that cancels it. */
export async function countCancelled(trx: Trx, orderId: string): Promise<void> {
  const order = await findCountedOrder(trx, orderId);
  await countOrders(trx, [{ ...order, isCancelled: false }], -1);
  await countOrders(trx, [{ ...order, isCancelled: true }]);
}

/** Adds many orders to the figures, or takes them out. */
export async function countOrders(trx: Trx, orders: CountedOrder[], times: 1 | -1 = 1): Promise<void> {
  const { days, options } = additionsOf(orders, times);
  for (const rows of inParts(days)) await addToDays(trx, rows);
  for (const rows of inParts(options)) await addToOptions(trx, rows);
}

/** More rows have more values than a statement may have on SQLite. */
const ROWS_AT_ONCE = 2000;

function* inParts<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    yield rows.slice(start, start + ROWS_AT_ONCE);
  }
}
