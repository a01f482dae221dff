import type { Db } from "#db/database.ts";
import type { ReprintTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { ReprintState } from "#shared/reprints.ts";
import { isOrderOf } from "../orders.queries.ts";

/** The order at the other end of a reprint link. */
export interface LinkedOrder {
  id: string;
  number: string;
}

/** The reprint of this order, unless it is cancelled. */
export async function findReprint(db: Db, orderId: string): Promise<LinkedOrder | undefined> {
  return db
    .selectFrom("orders")
    .select(["id", "number"])
    .where("reprint_of", "=", orderId)
    .where("state", "<>", "cancelled")
    .executeTakeFirst();
}

export type ReportRecord = ReprintTable & { answeredByName: string | null };

export async function findReport(db: Db | Trx, orderId: string): Promise<ReportRecord | undefined> {
  return db
    .selectFrom("reprints")
    .leftJoin("users", "users.id", "reprints.answered_by")
    .selectAll("reprints")
    .select("users.full_name as answeredByName")
    .where("order_id", "=", orderId)
    .executeTakeFirst();
}

/** False if the order already has a report. */
export async function insertReport(trx: Trx, report: ReprintTable): Promise<boolean> {
  const inserted = await trx
    .insertInto("reprints")
    .values(report)
    .onConflict((conflict) => conflict.column("order_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes the state of a report, with these other changes; false if it is not in state `from`. */
export async function updateReportState(
  trx: Trx,
  { orderId, from, to }: { orderId: string; from: ReprintState; to: ReprintState },
  changes: Partial<Pick<ReprintTable, "answer" | "answered_at" | "answered_by">> = {},
): Promise<boolean> {
  const moved = await trx
    .updateTable("reprints")
    .set({ ...changes, state: to })
    .where("order_id", "=", orderId)
    .where("state", "=", from)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
}

/** The reports of this user, newest first. */
export async function findReportsOf(
  db: Db,
  userId: string,
): Promise<(ReprintTable & { orderNumber: string })[]> {
  return db
    .selectFrom("reprints")
    .innerJoin("orders", "orders.id", "reprints.order_id")
    .selectAll("reprints")
    .select("orders.number as orderNumber")
    .where("orders.user_id", "=", userId)
    .orderBy("reprints.created_at", "desc")
    .execute();
}

/** Marks this user's photos as deleted and removes them from their reports. */
export async function releasePhotosOf(
  trx: Trx,
  { ownerId, at }: { ownerId: string; at: string },
): Promise<void> {
  await trx
    .updateTable("reprint_photos")
    .set({ deleted_at: at, reprint_id: null })
    .where("owner_id", "=", ownerId)
    .execute();
}

export async function deleteReportsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("reprints").where(isOrderOf(userId)).execute();
}
