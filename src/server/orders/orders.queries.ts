import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "#db/database.ts";
import type { OrderFileTable, OrderHistoryTable, OrderLineTable, OrderTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { type Fulfilment, OPEN_STATES, type OrderState, UNPRINTED_STATES } from "#shared/order-states.ts";
import type { OrderMoney } from "#shared/payment.ts";
import type { ListCursor } from "#shared/schemas/paging.ts";
import type { ShopScope } from "../context.ts";
import { isAfterCursor } from "../lib/paging.ts";

/** An order with the names that screens and mails show. Every query for a single order returns this row. */
export interface OrderRow extends OrderTable {
  /** Empty once the account is deleted. */
  studentName: string;
  studentPhone: string | null;
  /** Current UPI ID of its shop; empty if it does not take UPI. */
  upiId: string;
  /** The e-mail that its shop shows now; `shop_email` is that of the time of placing. */
  shownEmail: string;
  /** The confirmed e-mail of its shop, which mails go to; empty if there is none. */
  shopMailbox: string;
  /** Whether its shop prints a sheet between the files of an order. */
  separatesFiles: 0 | 1;
  /** Number of the order that this one reprints. */
  originalNumber: string | null;
}

/** Selects an order; `userId` and `shops` restrict it to people who may see it. */
interface OrderScope {
  id: string;
  userId?: string;
  shops?: ShopScope;
}

export async function findOrder(
  db: Db | Trx,
  { id, userId, shops = "all" }: OrderScope,
): Promise<OrderRow | undefined> {
  let query = db
    .selectFrom("orders")
    .innerJoin("users as student", "student.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .leftJoin("orders as original", "original.id", "orders.reprint_of")
    .selectAll("orders")
    .select(["student.full_name as studentName", "student.phone as studentPhone"])
    .select(["shops.upi_id as upiId", "shops.email as shownEmail", "shops.order_email as shopMailbox"])
    .select(["shops.separates_files as separatesFiles", "original.number as originalNumber"])
    .where("orders.id", "=", id)
    .where(isOneOf("orders.shop_id", shops));
  if (userId !== undefined) query = query.where("orders.user_id", "=", userId);
  return query.executeTakeFirst();
}

export async function findOrderLines(db: Db | Trx, orderId: string): Promise<OrderLineTable[]> {
  return db.selectFrom("order_lines").selectAll().where("order_id", "=", orderId).execute();
}

/** A file of an order; times are ISO 8601 in UTC. */
export interface OrderFileRow {
  id: string;
  name: string;
  pages: number;
  /** The pages to print, such as `1-10, 15`; null for all, NO_PAGES for none. */
  pageRanges: string | null;
  /** The pages with colour among the first `colourCheckedPages`; null before the check. */
  colourPages: string | null;
  colourCheckedPages: number | null;
  /** Which pages have which size, as in SizedPages. */
  pageSizes: string;
  /** Pages that are blank or have text at the edge; null before the check. */
  blankPages: string | null;
  edgePages: string | null;
  bytes: number;
  sha256: string;
  deletedAt: string | null;
  /** Name of the person who deleted it. */
  deletedBy: string | null;
  /** When its content was removed from storage. */
  erasedAt: string | null;
  /** Since when removing its content has failed. */
  eraseFailedAt: string | null;
}

/** The order's files in printing order. */
export async function findOrderFiles(db: Db | Trx, orderId: string): Promise<OrderFileRow[]> {
  return db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .leftJoin("users", "users.id", "files.deleted_by")
    .select(["files.id", "files.original_filename as name", "files.pages", "files.bytes", "files.sha256"])
    .select(["order_files.page_ranges as pageRanges", "files.colour_pages as colourPages"])
    .select("files.colour_checked_pages as colourCheckedPages")
    .select(["files.blank_pages as blankPages", "files.page_sizes as pageSizes"])
    .select("files.edge_pages as edgePages")
    .select(["files.deleted_at as deletedAt", "users.full_name as deletedBy"])
    .select(["files.erased_at as erasedAt", "files.erase_failed_at as eraseFailedAt"])
    .where("order_files.order_id", "=", orderId)
    .orderBy("order_files.position")
    .execute();
}

export interface HistoryEntry {
  state: OrderState;
  /** ISO 8601 in UTC. */
  at: string;
  /** Name of the person who moved it to this state. */
  by: string | null;
  /** Why it was cancelled. */
  reason: string | null;
}

/** The states that the order has reached, oldest first. */
export async function findOrderHistory(db: Db | Trx, orderId: string): Promise<HistoryEntry[]> {
  return db
    .selectFrom("order_events")
    .leftJoin("users", "users.id", "order_events.by_user_id")
    .select(["state", "order_events.created_at as at", "users.full_name as by", "reason"])
    .where("order_id", "=", orderId)
    .orderBy("order_events.created_at")
    .orderBy("order_events.id")
    .execute();
}

/** An order in the list of its student; times are ISO 8601 in UTC. */
export interface OwnOrderListing extends OrderMoney {
  id: string;
  number: string;
  fulfilment: Fulfilment;
  shopId: string;
  shopName: string;
  pages: number;
  copies: number;
  createdAt: string;
  /** When the files of a printed order are deleted. */
  filesDeleteAt: string | null;
  /** Why it is on hold, and when the student answered; null where it is not, or nobody did. */
  holdReason: string | null;
  holdAnsweredAt: string | null;
}

/** One page of this user's orders, newest first. */
export async function findOwnOrders(
  db: Db,
  userId: string,
  { after, limit }: { after: ListCursor | undefined; limit: number },
): Promise<OwnOrderListing[]> {
  let query = db
    .selectFrom("orders")
    .leftJoin("order_holds", (join) =>
      join.onRef("order_holds.order_id", "=", "orders.id").on("order_holds.resolved_at", "is", null),
    )
    .select(["orders.id", "number", "state", "fulfilment", "shop_id as shopId", "shop_name as shopName"])
    .select(["pages", "copies", "orders.created_at as createdAt"])
    .select(["total_paise as totalPaise", "paid_paise as paidPaise"])
    .select(["refunded_paise as refundedPaise", "credited_paise as creditedPaise"])
    .select(["files_delete_at as filesDeleteAt", "reason as holdReason", "answered_at as holdAnsweredAt"])
    .where("user_id", "=", userId)
    .orderBy("orders.created_at", "desc")
    .orderBy("orders.id", "desc")
    .limit(limit);
  if (after) query = query.where(isAfterCursor("orders", after));
  return query.execute();
}

/** Cancellation reasons by order id. */
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

/** The names of the first files of each order, in printing order, by order id. */
export async function findFirstFileNames(
  db: Db,
  { orderIds, limit }: { orderIds: string[]; limit: number },
): Promise<Map<string, string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .select(["order_files.order_id as orderId", "files.original_filename as name"])
    .where("order_files.order_id", "in", orderIds)
    .where("order_files.position", "<", limit)
    .orderBy("order_files.position")
    .execute();
  const names = Map.groupBy(rows, ({ orderId }) => orderId);
  return new Map([...names].map(([id, files]) => [id, files.map(({ name }) => name)]));
}

export interface OrderFileStatus {
  count: number;
  /** Numbers of files that are marked as deleted, and of those whose content is removed. */
  deleted: number;
  erased: number;
  lastErasedAt: string | null;
}

/** Status of the files by order id. */
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
  return new Map(rows.map(({ order_id, ...status }) => [order_id ?? "", status]));
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

export async function findHistoryOf(db: Db, userId: string): Promise<OrderHistoryTable[]> {
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

/** In printing order. */
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

/** Must equal the condition of the partial indexes literally, without bound values; otherwise neither database uses them. */
export const IS_OPEN = sql<boolean>`orders.state not in ('delivered', 'cancelled')`;

/**
 * The shop still has to print it, and nothing keeps it from that. A promised time is kept once the order is printed, and does not
 * count while it is on hold: it is promised again then.
 */
export const IS_TO_PRINT = sql<boolean>`orders.state in (${sql.join(UNPRINTED_STATES.map(sql.lit))}) and orders.held_at is null`;

/** Money is owed, as `duePaise` in shared/payment.ts has it. */
export const IS_UNPAID = sql<boolean>`orders.total_paise > orders.paid_paise + orders.credited_paise and orders.state <> 'cancelled'`;

/** Whether a row that belongs to an order is about one of this user's. */
export function isOrderOf(userId: string): RawBuilder<SqlBool> {
  return sql`order_id in (select id from orders where user_id = ${userId})`;
}

/** Sets where mails about this user's orders go. */
export async function updateOrderEmails(
  trx: Trx,
  { userId, to }: { userId: string; to: string },
): Promise<void> {
  await trx.updateTable("orders").set({ user_email: to }).where("user_id", "=", userId).execute();
}

/** This user's open orders, oldest first. */
export async function findOpenOrders(trx: Trx, userId: string): Promise<OrderTable[]> {
  return trx
    .selectFrom("orders")
    .selectAll()
    .where("user_id", "=", userId)
    .where("state", "in", OPEN_STATES)
    .orderBy("created_at")
    .execute();
}

/** Removes the user's personal data from their orders, which are kept; their files are deleted already. */
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
      files_delete_at: null,
    })
    .where("user_id", "=", userId)
    .execute();
}

/** Changes these columns of an order, and returns the changed one. The caller must hold its row lock where they follow from the row. */
export async function updateOrder<Order extends Pick<OrderTable, "id">>(
  trx: Trx,
  order: Order,
  changes: Partial<OrderTable>,
): Promise<Order> {
  await trx.updateTable("orders").set(changes).where("id", "=", order.id).execute();
  return { ...order, ...changes };
}
