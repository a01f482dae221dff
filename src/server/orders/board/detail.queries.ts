import type { Db } from "#db/open.ts";
import type { OrderLineTable, OrderNoteTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";

export type OrderRecord = OrderTable & {
  studentName: string;
  studentPhone: string | null;
  /** Where its shop takes UPI now; empty where it does not. */
  upiId: string;
  /** The number of the order that it prints again. */
  originalNumber: string | null;
};

export async function findOrder(db: Db | Trx, id: string): Promise<OrderRecord | undefined> {
  return db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .leftJoin("orders as original", "original.id", "orders.reprint_of")
    .selectAll("orders")
    .select("original.number as originalNumber")
    .select(["users.full_name as studentName", "users.phone as studentPhone", "shops.upi_id as upiId"])
    .where("orders.id", "=", id)
    .executeTakeFirst();
}

/** A line with the sides that its option prints of a sheet; null once the shop has deleted the option. */
export type OrderLineRecord = OrderLineTable & { sides: number | null };

export async function findOrderLines(db: Db, orderId: string): Promise<OrderLineRecord[]> {
  return db
    .selectFrom("order_lines")
    .leftJoin("shop_options", "shop_options.id", "order_lines.option_id")
    .selectAll("order_lines")
    .select("shop_options.sides")
    .where("order_id", "=", orderId)
    .execute();
}

/** A file of an order as staff see it; times are ISO 8601 in UTC. */
export interface OrderFile {
  id: string;
  name: string;
  pages: number;
  /** The pages to print, such as `1-10, 15`; null for all of them, NO_PAGES for none. */
  pageRanges: string | null;
  /** Those of the first `colourCheckedPages` that hold colour; null until they are looked at. */
  colourPages: string | null;
  colourCheckedPages: number | null;
  bytes: number;
  deletedAt: string | null;
  /** Who deleted it. */
  deletedBy: string | null;
  /** When its bytes were gone. */
  erasedAt: string | null;
  /** Since when its bytes cannot be removed. */
  eraseFailedAt: string | null;
}

/** The order's files in the order in which they are printed. */
export async function findOrderFiles(db: Db, orderId: string): Promise<OrderFile[]> {
  return db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .leftJoin("users", "users.id", "files.deleted_by")
    .select(["files.id", "files.original_filename as name", "files.pages", "files.bytes"])
    .select(["order_files.page_ranges as pageRanges", "files.colour_pages as colourPages"])
    .select("files.colour_checked_pages as colourCheckedPages")
    .select(["files.deleted_at as deletedAt", "users.full_name as deletedBy"])
    .select(["files.erased_at as erasedAt", "files.erase_failed_at as eraseFailedAt"])
    .where("order_files.order_id", "=", orderId)
    .orderBy("order_files.position")
    .execute();
}

export interface HistoryEntry {
  state: OrderState;
  at: string;
  /** Who brought it there. */
  by: string | null;
  /** Why it was cancelled. */
  reason: string | null;
}

/** What happened to the order, oldest first. */
export async function findOrderHistory(db: Db, orderId: string): Promise<HistoryEntry[]> {
  return db
    .selectFrom("order_events")
    .leftJoin("users", "users.id", "order_events.by_user_id")
    .select(["state", "order_events.created_at as at", "users.full_name as by", "reason"])
    .where("order_id", "=", orderId)
    .orderBy("order_events.created_at")
    .orderBy("order_events.id")
    .execute();
}

export interface Note {
  id: string;
  body: string;
  by: string;
  at: string;
}

/** What staff wrote about the order, newest first. */
export async function findOrderNotes(db: Db, orderId: string): Promise<Note[]> {
  return db
    .selectFrom("order_notes")
    .innerJoin("users", "users.id", "order_notes.by_user_id")
    .select(["order_notes.id", "body", "users.full_name as by", "order_notes.created_at as at"])
    .where("order_id", "=", orderId)
    .orderBy("order_notes.created_at", "desc")
    .orderBy("order_notes.id")
    .execute();
}

export async function insertNote(trx: Trx, note: OrderNoteTable): Promise<void> {
  await trx.insertInto("order_notes").values(note).execute();
}

/** Deletes what staff wrote about the orders of this user. */
export async function deleteNotesAbout(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom("order_notes")
    .where("order_id", "in", (eb) => eb.selectFrom("orders").select("id").where("user_id", "=", userId))
    .execute();
}
