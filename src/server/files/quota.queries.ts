import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Db, isOnPostgres } from "#db/database.ts";
import type { UploadReservationTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** The advisory lock of PostgreSQL under which reservations are made. */
const RESERVATIONS_LOCK = 7_204_118;

const SUM = sql<number | string | null>`sum(bytes)`.as("sum");

/** What an account holds in the store, in bytes. */
export interface HeldBytes {
  /** Of files that belong to no order, of photos that belong to no report, and of running uploads. */
  unordered: number;
  /** Of files of orders that are not printed yet. */
  ordered: number;
}

export async function sumHeldBytes(db: Db | Trx, ownerId: string, at: string): Promise<HeldBytes> {
  const row = await db
    .selectNoFrom(({ selectFrom }) => {
      const files = selectFrom("files")
        .select(SUM)
        .where("owner_id", "=", ownerId)
        .where("erased_at", "is", null);
      const photos = selectFrom("reprint_photos")
        .select(SUM)
        .where("owner_id", "=", ownerId)
        .where("reprint_id", "is", null);
      const underWay = selectFrom("upload_reservations")
        .select(SUM)
        .where("owner_id", "=", ownerId)
        .where("expires_at", ">", at);
      return [
        files.where("order_id", "is", null).as("unordered"),
        files.where("order_id", "is not", null).as("ordered"),
        photos.as("photos"),
        underWay.as("underWay"),
      ];
    })
    .executeTakeFirstOrThrow();
  const { unordered, ordered, photos, underWay } = row;
  return { unordered: Number(unordered) + Number(photos) + Number(underWay), ordered: Number(ordered) };
}

/** The `unordered` bytes of all accounts together. */
export async function sumUnorderedBytes(db: Db | Trx, at: string): Promise<number> {
  const { files, photos, underWay } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom("files")
        .select(SUM)
        .where("order_id", "is", null)
        .where("deleted_at", "is", null)
        .as("files"),
      selectFrom("reprint_photos")
        .select(SUM)
        .where("reprint_id", "is", null)
        .where("deleted_at", "is", null)
        .as("photos"),
      selectFrom("upload_reservations").select(SUM).where("expires_at", ">", at).as("underWay"),
    ])
    .executeTakeFirstOrThrow();
  return Number(files) + Number(photos) + Number(underWay);
}

/** Whose visits hold the bytes that are added up. */
export type VisitGroup = { address: string } | { shopId: string; code: string } | { shopId: string };

/** Bytes of all files of these visits that the store has, and of their running uploads. */
export async function sumVisitBytes(trx: Trx, group: VisitGroup, at: string): Promise<number> {
  const owners = sql`select user_id from visits where ${inGroup(group)}`;
  const { files, underWay } = await trx
    .selectNoFrom(({ selectFrom }) => [
      selectFrom("files")
        .select(SUM)
        .where(sql<SqlBool>`owner_id in (${owners})`)
        .where("erased_at", "is", null)
        .as("files"),
      selectFrom("upload_reservations")
        .select(SUM)
        .where(sql<SqlBool>`owner_id in (${owners})`)
        .where("expires_at", ">", at)
        .as("underWay"),
    ])
    .executeTakeFirstOrThrow();
  return Number(files) + Number(underWay);
}

function inGroup(group: VisitGroup): RawBuilder<SqlBool> {
  if ("address" in group) return sql`address_hash = ${group.address}`;
  const atShop = sql<SqlBool>`shop_id = ${group.shopId}`;
  return "code" in group ? sql`${atShop} and code = ${group.code}` : atShop;
}

/** Until the transaction ends no other one adds up what all accounts hold. SQLite runs one write transaction at a time anyway. */
export async function lockReservations(trx: Trx): Promise<void> {
  if (isOnPostgres(trx)) await sql`select pg_advisory_xact_lock(${RESERVATIONS_LOCK})`.execute(trx);
}

export async function insertReservation(trx: Trx, reservation: UploadReservationTable): Promise<void> {
  await trx.insertInto("upload_reservations").values(reservation).execute();
}

export async function deleteReservation(db: Db | Trx, id: string): Promise<void> {
  await db.deleteFrom("upload_reservations").where("id", "=", id).execute();
}

/** Deletes the reservations of servers that died in the middle of an upload. */
export async function deleteReservationsBefore(db: Db, at: string): Promise<void> {
  await db.deleteFrom("upload_reservations").where("expires_at", "<=", at).execute();
}

/** Deletes all reservations, at the start of the only server: no upload is under way. */
export async function releaseReservations(db: Db): Promise<void> {
  await db.deleteFrom("upload_reservations").execute();
}
