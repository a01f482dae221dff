import type { Db } from "#db/open.ts";
import type { OrderEventTable, OrderFileTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { OPEN_STATES, type OrderState } from "#shared/order-states.ts";
import type { ListPlace } from "#shared/schemas/paging.ts";

/** An order as the student who placed it sees it; times are ISO 8601 in UTC. */
export interface OwnOrder {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  shopName: string;
  pages: number;
  copies: number;
  totalPaise: number;
  createdAt: string;
  /** When the files of a printed order are deleted. */
  filesDeleteAt: string | null;
}

/** This user's orders, the newest first, from a row of the list on. */
export async function findOwnOrders(
  db: Db,
  userId: string,
  { after, limit }: { after: ListPlace | undefined; limit: number },
): Promise<OwnOrder[]> {
  let query = db
    .selectFrom("orders")
    .select(["id", "number", "state", "fulfilment", "shop_name as shopName", "pages", "copies"])
    .select(["total_paise as totalPaise", "created_at as createdAt", "files_delete_at as filesDeleteAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("created_at", "id"), "<", eb.tuple(after.createdAt, after.id)),
    );
  }
  return query.execute();
}

/** Why orders were cancelled, by order. */
export async function findCancelReasons(db: Db, orderIds: string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_events")
    .select(["order_id", "reason"])
    .where("order_id", "in", orderIds)
    .where("reason", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.reason ?? ""]));
}

export interface OrderFileStatus {
  count: number;
  /** How many of them nobody can read any more, and how many have left the store. */
  deleted: number;
  erased: number;
  lastErasedAt: string | null;
}

/** What became of the files of these orders, by order. */
export async function findFileStatuses(db: Db, orderIds: string[]): Promise<Map<string, OrderFileStatus>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("files")
    .select(({ fn }) => [
      "order_id",
      fn.countAll<number>().as("count"),
      fn.count<number>("deleted_at").as("deleted"),
      fn.count<number>("erased_at").as("erased"),
      fn.max("erased_at").as("lastErasedAt"),
    ])
    .where("order_id", "in", orderIds)
    .groupBy("order_id")
    .execute();
  return new Map(rows.map(({ order_id, ...fate }) => [order_id ?? "", fate]));
}

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

/** An order as far as its rating needs to know it. */
export interface RatedOrder {
  number: string;
  shopId: string;
  state: OrderState;
  /** Null while it is not rated. */
  stars: number | null;
}

/** An order of this user; undefined where there is none, and where it is somebody else's. */
export async function findRated(
  trx: Trx,
  { orderId, userId }: { orderId: string; userId: string },
): Promise<RatedOrder | undefined> {
  return trx
    .selectFrom("orders")
    .select(["number", "shop_id as shopId", "state", "stars"])
    .where("id", "=", orderId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function updateStars(
  trx: Trx,
  { orderId, stars, at }: { orderId: string; stars: number; at: string },
): Promise<void> {
  await trx.updateTable("orders").set({ stars, rated_at: at }).where("id", "=", orderId).execute();
}
