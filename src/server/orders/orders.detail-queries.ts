import type { Db } from "#db/open.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";

/** `upiId` is where its shop takes UPI now; empty where it does not. */
export type OwnOrderRecord = OrderTable & { upiId: string };

/** An order of this user; undefined where there is none, and where it is somebody else's. */
export async function findOwnOrder(
  db: Db | Trx,
  { id, userId }: { id: string; userId: string },
): Promise<OwnOrderRecord | undefined> {
  return db
    .selectFrom("orders")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .selectAll("orders")
    .select("shops.upi_id as upiId")
    .where("orders.id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function findAgreedLines(db: Db | Trx, orderId: string): Promise<OrderLineTable[]> {
  return db.selectFrom("order_lines").selectAll().where("order_id", "=", orderId).execute();
}

export interface OwnFileFacts {
  id: string;
  name: string;
  pages: number;
  /** Those that are printed, such as `1-10, 15`; null for all, NO_PAGES for none. */
  pageRanges: string | null;
  bytes: number;
}

/** Which of the order's files has which content, by their ids. */
export async function findContents(db: Db | Trx, orderId: string): Promise<Map<string, string>> {
  const files = await db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .select(["files.id", "files.sha256"])
    .where("order_files.order_id", "=", orderId)
    .execute();
  return new Map(files.map(({ id, sha256 }) => [id, sha256]));
}

/** The order's files in the order in which they are printed. */
export async function findOwnFiles(db: Db | Trx, orderId: string): Promise<OwnFileFacts[]> {
  return db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .select(["files.id", "files.original_filename as name", "files.pages", "files.bytes"])
    .select("order_files.page_ranges as pageRanges")
    .where("order_files.order_id", "=", orderId)
    .orderBy("order_files.position")
    .execute();
}

export interface ReachedState {
  state: OrderState;
  /** ISO 8601 in UTC. */
  at: string;
}

/** The states that the order has reached, oldest first. */
export async function findReachedStates(db: Db, orderId: string): Promise<ReachedState[]> {
  return db
    .selectFrom("order_events")
    .select(["state", "created_at as at"])
    .where("order_id", "=", orderId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
