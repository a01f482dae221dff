import type { Db } from "#db/open.ts";
import type { OrderEventTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** The order that this user placed under this idempotency key, if any. */
export async function findOrderByKey(
  db: Db | Trx,
  userId: string,
  key: string,
): Promise<OrderTable | undefined> {
  return db
    .selectFrom("orders")
    .selectAll()
    .where("user_id", "=", userId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
}

/** False when the user already has an order under this idempotency key. */
export async function insertOrder(trx: Trx, order: OrderTable): Promise<boolean> {
  const inserted = await trx
    .insertInto("orders")
    .values(order)
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function insertOrderLines(trx: Trx, lines: OrderLineTable[]): Promise<void> {
  await trx.insertInto("order_lines").values(lines).execute();
}

/** Lists the order's files in the order in which they are printed. */
export async function insertOrderFiles(
  trx: Trx,
  orderId: string,
  files: { id: string; pageRanges: string | null }[],
): Promise<void> {
  const rows = files.map(({ id, pageRanges }, position) => ({
    order_id: orderId,
    position,
    file_id: id,
    page_ranges: pageRanges,
  }));
  await trx.insertInto("order_files").values(rows).execute();
}

export async function insertOrderEvent(trx: Trx, event: OrderEventTable): Promise<void> {
  await trx.insertInto("order_events").values(event).execute();
}
