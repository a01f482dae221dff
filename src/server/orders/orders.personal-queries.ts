import type { Db } from "#db/open.ts";
import type { OrderEventTable, OrderFileTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { OPEN_STATES } from "#shared/order-states.ts";

export async function findOrdersOf(db: Db, userId: string): Promise<OrderTable[]> {
  return db
    .selectFrom("orders")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

export async function findLinesOf(db: Db, userId: string): Promise<OrderLineTable[]> {
  return db
    .selectFrom("order_lines")
    .innerJoin("orders", "orders.id", "order_lines.order_id")
    .selectAll("order_lines")
    .where("orders.user_id", "=", userId)
    .execute();
}

export async function findEventsOf(db: Db, userId: string): Promise<OrderEventTable[]> {
  return db
    .selectFrom("order_events")
    .innerJoin("orders", "orders.id", "order_events.order_id")
    .selectAll("order_events")
    .where("orders.user_id", "=", userId)
    .orderBy("order_events.created_at")
    .orderBy("order_events.id")
    .execute();
}

export interface OrderedFile extends OrderFileTable {
  name: string;
  bytes: number;
  pages: number;
  erasedAt: string | null;
}

/** In the order in which they are printed. */
export async function findOrderedFilesOf(db: Db, userId: string): Promise<OrderedFile[]> {
  return db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .innerJoin("orders", "orders.id", "order_files.order_id")
    .selectAll("order_files")
    .select(["files.original_filename as name", "files.bytes", "files.pages"])
    .select("files.erased_at as erasedAt")
    .where("orders.user_id", "=", userId)
    .orderBy("order_files.position")
    .execute();
}

/** Numbers of the orders of this user that are not at their end, the oldest first. */
export async function findOpenNumbers(trx: Trx, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("orders")
    .select("number")
    .where("user_id", "=", userId)
    .where("state", "in", OPEN_STATES)
    .orderBy("created_at")
    .execute();
  return rows.map(({ number }) => number);
}

/** Takes out of the orders of this user what says who they are. */
export async function blankOrders(trx: Trx, userId: string): Promise<void> {
  await trx
    .updateTable("orders")
    .set({
      user_email: "",
      address: null,
      message: "",
      idempotency_key: null,
      request_hash: "",
      pickup_code: null,
    })
    .where("user_id", "=", userId)
    .execute();
}
