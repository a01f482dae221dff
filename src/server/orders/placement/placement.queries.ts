import { type RawBuilder, sql } from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { OrderFileTable, OrderHistoryTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Work } from "#shared/promised-time.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { IS_OPEN, IS_TO_PRINT } from "../orders.queries.ts";

const orderOfKey = new PreparedQuery((db, { userId, key }: Placeholders<{ userId: string; key: string }>) =>
  db.selectFrom("orders").selectAll().where("user_id", "=", userId).where("idempotency_key", "=", key),
);
const newOrder = new PreparedInsert((db, rows: Placeholders<OrderTable>[]) =>
  db
    .insertInto("orders")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["user_id", "idempotency_key"]).doNothing())
    .returning("id"),
);
const newLines = new PreparedInsert((db, rows: Placeholders<OrderLineTable>[]) =>
  db.insertInto("order_lines").values(rows),
);
const newFiles = new PreparedInsert((db, rows: Placeholders<OrderFileTable>[]) =>
  db.insertInto("order_files").values(rows),
);
const newHistory = new PreparedInsert((db, rows: Placeholders<OrderHistoryTable>[]) =>
  db.insertInto("order_events").values(rows),
);

/** How much of one person's orders counts as waiting that nobody has paid or begun to print. */
const UNSURE: Work = { pages: 600, orders: 5 };
/** All visitors at the counter count as one person: anybody can open many visits, and whoever is really there pays at the desk. */
const PERSON = sql`case when fulfilment = 'counter' then '' else user_id end`;

/** By person: orders that are being printed or for which money was taken, and the others. */
const waitingWork = new PreparedQuery((db, { shopId }: Placeholders<{ shopId: string }>) => {
  const isSure = sql`(state = 'printing' or paid_paise > 0)`;
  const sum = (value: RawBuilder<unknown>, sure: boolean) =>
    sql<number>`sum(case when ${isSure} then ${sure ? value : sql`0`} else ${sure ? sql`0` : value} end)`;
  const atMost = (column: string, most: number) =>
    sql`case when ${sql.ref(column)} > ${sql.lit(most)} then ${sql.lit(most)} else ${sql.ref(column)} end`;
  const people = db
    .selectFrom("orders")
    .select([
      sum(sql`1`, true).as("sure_orders"),
      sum(sql`1`, false).as("unsure_orders"),
      sum(sql`pages * copies`, true).as("sure_pages"),
      sum(sql`pages * copies`, false).as("unsure_pages"),
    ])
    .where("shop_id", "=", shopId)
    .where(IS_OPEN)
    .where(IS_TO_PRINT)
    .groupBy(PERSON);
  return db
    .selectFrom(people.as("people"))
    .select([
      sql<number | null>`sum(sure_orders + ${atMost("unsure_orders", UNSURE.orders)})`.as("orders"),
      sql<number | null>`sum(sure_pages + ${atMost("unsure_pages", UNSURE.pages)})`.as("pages"),
    ]);
});

/**
 * What a shop still has to print, without what is on hold. What one person, or all visitors at the counter, have ordered and not
 * paid counts only in part, so that nobody moves the times of all others by orders that cost nothing.
 */
export async function findWaitingWork(db: Db | Trx, shopId: string): Promise<Work> {
  const found = await waitingWork.first(db, { shopId });
  return { pages: Number(found?.pages ?? 0), orders: Number(found?.orders ?? 0) };
}

/** The order that this user placed under this idempotency key, if any. */
export async function findOrderByKey(
  db: Db | Trx,
  userId: string,
  key: string,
): Promise<OrderTable | undefined> {
  return orderOfKey.first(db, { userId, key });
}

/** False if the user already has an order under this idempotency key. */
export async function insertOrder(trx: Trx, order: OrderTable): Promise<boolean> {
  const inserted = await newOrder.rows(trx, [order]);
  return inserted.length > 0;
}

export async function insertOrderLines(trx: Trx, lines: OrderLineTable[]): Promise<void> {
  await newLines.rows(trx, lines);
}

/** Stores the order's files in printing order. */
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
  await newFiles.rows(trx, rows);
}

/** Adds an entry to the order's history. */
export async function insertHistory(trx: Trx, entry: Omit<OrderHistoryTable, "id">): Promise<void> {
  await newHistory.rows(trx, [{ ...entry, id: uuidv7() }]);
}

/** Replaces the order's files by these, in printing order. */
export async function replaceOrderFiles(
  trx: Trx,
  orderId: string,
  files: { id: string; pageRanges: string | null }[],
): Promise<void> {
  await trx.deleteFrom("order_files").where("order_id", "=", orderId).execute();
  await insertOrderFiles(trx, orderId, files);
}

export async function replaceOrderLines(trx: Trx, orderId: string, lines: OrderLineTable[]): Promise<void> {
  await trx.deleteFrom("order_lines").where("order_id", "=", orderId).execute();
  await insertOrderLines(trx, lines);
}
