import type { Db } from "#db/database.ts";
import type { ReprintPhotoTable, ReprintTable } from "#db/schema.ts";
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

export async function insertReportPhoto(trx: Trx, photo: ReprintPhotoTable): Promise<void> {
  await trx.insertInto("reprint_photos").values(photo).execute();
}

/** Whether this key in the file store belongs to a photo. */
export async function isReportPhoto(db: Db, key: string): Promise<boolean> {
  const row = await db.selectFrom("reprint_photos").select("id").where("id", "=", key).executeTakeFirst();
  return row !== undefined;
}

/** Adds one of the owner's photos to a report. False if the photo is deleted, not theirs, or already in a report. */
export async function claimPhoto(
  trx: Trx,
  { id, ownerId, reprintId, position }: { id: string; ownerId: string; reprintId: string; position: number },
): Promise<boolean> {
  const claimed = await trx
    .updateTable("reprint_photos")
    .set({ reprint_id: reprintId, position })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("reprint_id", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Ids of the photos of a report that are not deleted, in the student's order. */
export async function findReportPhotoIds(db: Db, reprintId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("reprint_photos")
    .select("id")
    .where("reprint_id", "=", reprintId)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .execute();
  return rows.map(({ id }) => id);
}

export interface KeptPhoto {
  ownerId: string;
  bytes: number;
  /** The shop of the reported order; null until the report is sent. */
  shopId: string | null;
}

export async function findReportPhoto(db: Db, id: string): Promise<KeptPhoto | undefined> {
  return db
    .selectFrom("reprint_photos")
    .leftJoin("reprints", "reprints.id", "reprint_photos.reprint_id")
    .leftJoin("orders", "orders.id", "reprints.order_id")
    .select(["owner_id as ownerId", "bytes", "orders.shop_id as shopId"])
    .where("reprint_photos.id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Times before which photos are no longer needed; ISO 8601 in UTC. */
interface PhotoLimits {
  /** For uploaded photos without a report. */
  unsentSince: string;
  answeredSince: string;
  /** For photos of reports without an answer. */
  reportedSince: string;
}

/** Marks photos as deleted that are no longer needed. */
export async function markPhotosDeleted(
  db: Db,
  { at, unsentSince, answeredSince, reportedSince }: PhotoLimits & { at: string },
): Promise<void> {
  const kept = db.updateTable("reprint_photos").set({ deleted_at: at }).where("deleted_at", "is", null);
  await kept.where("reprint_id", "is", null).where("created_at", "<", unsentSince).execute();
  await kept
    // A photo is older than the answer to its report, so this limits the query to old photos.
    .where("created_at", "<", answeredSince)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("reprints")
          .select("reprints.id")
          .whereRef("reprints.id", "=", "reprint_photos.reprint_id")
          .where((report) =>
            report.or([
              report("answered_at", "<", answeredSince),
              report("reprints.created_at", "<", reportedSince),
            ]),
          ),
      ),
    )
    .execute();
}

/** Ids of deleted photos whose content must be removed. */
export async function findDeletedReportPhotos(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("reprint_photos")
    .select("id")
    .where("deleted_at", "is not", null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteReportPhotoRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("reprint_photos").where("id", "=", id).execute();
}
