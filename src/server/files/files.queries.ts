import type { Insertable } from "kysely";
import type { Db } from "#db/database.ts";
import type { FileTable } from "#db/schema.ts";
import { isUnleased } from "#db/sql.ts";
import { afterCommit, type Trx } from "#db/transaction.ts";
import type { PageChecks } from "#shared/page-checks.ts";

export type FileRecord = Readonly<FileTable>;

export async function insertFile(trx: Trx, file: Insertable<FileTable>): Promise<void> {
  await trx.insertInto("files").values(file).execute();
  afterCommit(trx, "checkFiles");
}

/** Whether there is a file with this id. */
export async function isFileRecorded(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom("files").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

export async function findFile(db: Db, id: string): Promise<FileRecord | undefined> {
  return db.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The order that a file is in: how many pages it prints, of which files in which order, and on which paper. */
export interface OrderOfFile {
  number: string;
  shopId: string;
  pages: number;
  jobs: string | null;
  files: { id: string; pages: number; pageRanges: string | null }[];
  /** The name of each job's paper size. */
  papers: { job: number; name: string }[];
}

/** The order that the file belongs to; undefined where it belongs to none. */
export async function findOrderOfFile(db: Db | Trx, id: string): Promise<OrderOfFile | undefined> {
  const rows = await db
    .selectFrom("files as given")
    .innerJoin("orders", "orders.id", "given.order_id")
    .innerJoin("order_files", "order_files.order_id", "orders.id")
    .innerJoin("files", "files.id", "order_files.file_id")
    .select(["orders.number", "orders.shop_id as shopId", "orders.pages as ordered", "orders.jobs"])
    .select(["files.id", "files.pages", "order_files.page_ranges as pageRanges"])
    .where("given.id", "=", id)
    .orderBy("order_files.position")
    .execute();
  const papers = await db
    .selectFrom("files")
    .innerJoin("order_lines", "order_lines.order_id", "files.order_id")
    .select(["order_lines.job", "order_lines.name"])
    .where("files.id", "=", id)
    .where("order_lines.kind", "=", "paperSizes")
    .execute();
  const [order] = rows;
  if (!order) return undefined;
  const { number, shopId, ordered, jobs } = order;
  return { number, shopId, pages: ordered, jobs, files: rows, papers };
}

/** This user's files among `ids`, unsorted; also those that are deleted or belong to an order. */
export async function findFilesOf(db: Db | Trx, ownerId: string, ids: string[]): Promise<FileRecord[]> {
  return db.selectFrom("files").selectAll().where("owner_id", "=", ownerId).where("id", "in", ids).execute();
}

/** This user's files of this content since then that are not deleted and belong to no order, the newest first. */
export async function findUnorderedOf(
  db: Db,
  ownerId: string,
  { sha256, since }: { sha256: string; since: string },
): Promise<FileRecord[]> {
  return db
    .selectFrom("files")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("sha256", "=", sha256)
    .where("created_at", ">=", since)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .execute();
}

/** Changes the owner of those files that are not deleted and belong to no order; returns how many. */
export async function changeOwner(
  trx: Trx,
  { ids, from, to }: { ids: string[]; from: string; to: string },
): Promise<number> {
  const given = await trx
    .updateTable("files")
    .set({ owner_id: to })
    .where("id", "in", ids)
    .where("owner_id", "=", from)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  return given.length;
}

/** Adds to the order those of this user's files that are not deleted and belong to no order yet; returns their ids. */
export async function claimFiles(
  trx: Trx,
  { orderId, ownerId, fileIds }: { orderId: string; ownerId: string; fileIds: string[] },
): Promise<string[]> {
  const claimed = await trx
    .updateTable("files")
    .set({ order_id: orderId })
    .where("id", "in", fileIds)
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  return claimed.map((row) => row.id);
}

/** The columns that are set when a file is deleted. Its lease ends, so that it can be erased. */
function asDeleted(at: string, by: string | null) {
  return { deleted_at: at, deleted_by: by, leased_until: null };
}

/** Takes these files out of their order and marks them deleted; returns how many. */
export async function removeFromOrder(
  trx: Trx,
  { orderId, ids, by, at }: { orderId: string; ids: string[]; by: string; at: string },
): Promise<number> {
  const removed = await trx
    .updateTable("files")
    .set({ order_id: null, ...asDeleted(at, by) })
    .where("id", "in", ids)
    .where("order_id", "=", orderId)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  afterCommit(trx, "eraseFiles");
  return removed.length;
}

/** Marks this user's file deleted; false where it is ordered or deleted already. */
export async function markDeleted(
  db: Db,
  { id, ownerId, at }: { id: string; ownerId: string; at: string },
): Promise<boolean> {
  const deleted = await db
    .updateTable("files")
    .set(asDeleted(at, ownerId))
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Records that this user's converted file looks right; the first time counts. */
export async function markApproved(
  db: Db,
  { id, ownerId, at }: { id: string; ownerId: string; at: string },
): Promise<void> {
  await db
    .updateTable("files")
    .set({ approved_at: at })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("converted_from", "is not", null)
    .where("approved_at", "is", null)
    .where("deleted_at", "is", null)
    .execute();
}

/** Marks the files of the order that are not deleted yet as deleted; returns how many. */
export async function markOrderFilesDeleted(
  trx: Trx,
  { orderId, by, at }: { orderId: string; by: string | null; at: string },
): Promise<number> {
  const deleted = await trx
    .updateTable("files")
    .set(asDeleted(at, by))
    .where("order_id", "=", orderId)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  afterCommit(trx, "eraseFiles");
  return deleted.length;
}

/** Marks every file deleted that came before `before` and was never ordered. */
export async function markUnorderedDeleted(
  db: Db,
  { before, at }: { before: string; at: string },
): Promise<void> {
  await db
    .updateTable("files")
    .set(asDeleted(at, null))
    .where("created_at", "<", before)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .execute();
}

/** Deletes the rows of files that were uploaded before `before`, whose bytes are erased, and that no order has or has had. */
export async function deleteErasedUnordered(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("files")
    .where("created_at", "<", before)
    .where("order_id", "is", null)
    .where("erased_at", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom("order_files").select("file_id").whereRef("order_files.file_id", "=", "files.id")),
      ),
    )
    .execute();
}

/** The newest file that was not checked for colour and that no server has a lease of; none of `except`. */
export async function findFileToCheck(
  db: Db,
  { except, at }: { except: string[]; at: string },
): Promise<FileRecord | undefined> {
  return db
    .selectFrom("files")
    .selectAll()
    .where("colour_checked_pages", "is", null)
    .where("deleted_at", "is", null)
    .where(isUnleased(at))
    .$if(except.length > 0, (query) => query.where("id", "not in", except))
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function markChecked(
  db: Db,
  id: string,
  {
    colourPages,
    checkedPages,
    ...found
  }: { colourPages: string; checkedPages: number } & Pick<PageChecks, "blankPages" | "edgePages">,
): Promise<void> {
  await db
    .updateTable("files")
    .set({
      colour_pages: colourPages,
      colour_checked_pages: checkedPages,
      blank_pages: found.blankPages,
      edge_pages: found.edgePages,
    })
    .where("id", "=", id)
    .execute();
}

/** Ids of deleted files whose bytes may still be in the store. */
export async function findFilesToErase(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("files")
    .select("id")
    .where("deleted_at", "is not", null)
    .where("erased_at", "is", null)
    .orderBy("deleted_at")
    .execute();
  return rows.map(({ id }) => id);
}

export async function markErased(db: Db, id: string, at: string): Promise<void> {
  await db.updateTable("files").set({ erased_at: at, erase_failed_at: null }).where("id", "=", id).execute();
}

/** Records the first failure only: since then the bytes have been there although people were told otherwise. */
export async function markEraseFailed(db: Db, id: string, at: string): Promise<void> {
  await db
    .updateTable("files")
    .set({ erase_failed_at: at })
    .where("id", "=", id)
    .where("erase_failed_at", "is", null)
    .where("erased_at", "is", null)
    .execute();
}

export interface UnorderedFile {
  name: string;
  bytes: number;
  pages: number;
  uploadedAt: string;
  /** When its bytes left the store. */
  deletedAt: string | null;
}

/** Uploads of this user that belong to no order, the newest first. */
export async function findUnorderedFiles(db: Db, ownerId: string): Promise<UnorderedFile[]> {
  return db
    .selectFrom("files")
    .select(["original_filename as name", "bytes", "pages"])
    .select(["created_at as uploadedAt", "erased_at as deletedAt"])
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .orderBy("created_at", "desc")
    .execute();
}

/** Marks this user's files as deleted: all, or only those that belong to no order. */
export async function markOwnerFilesDeleted(
  trx: Trx,
  { ownerId, at, unorderedOnly = false }: { ownerId: string; at: string; unorderedOnly?: boolean },
): Promise<void> {
  let update = trx
    .updateTable("files")
    .set(asDeleted(at, ownerId))
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null);
  if (unorderedOnly) update = update.where("order_id", "is", null);
  await update.execute();
  afterCommit(trx, "eraseFiles");
}

/** Removes names and hashes from the rows of this user's files. */
export async function blankFiles(trx: Trx, ownerId: string, name: string): Promise<void> {
  await trx
    .updateTable("files")
    .set({ original_filename: name, sha256: "" })
    .where("owner_id", "=", ownerId)
    .execute();
}

/**
 * Background work on a file. Its colours are checked until it is deleted; after that it is erased, even if the check has a
 * lease. `done` is the column that is set when the work is done.
 */
const WORKS = {
  colours: { done: "colour_checked_pages", deleted: "is" },
  erasure: { done: "erased_at", deleted: "is not" },
} as const;
export type FileWork = keyof typeof WORKS;

/** Leases the file to this server until `until`; false where there is nothing to do, or another server has the lease. */
export async function leaseFile(
  db: Db,
  id: string,
  { work, at, until }: { work: FileWork; at: string; until: string },
): Promise<boolean> {
  const { done, deleted } = WORKS[work];
  const taken = await db
    .updateTable("files")
    .set({ leased_until: until })
    .where("id", "=", id)
    .where("deleted_at", deleted, null)
    .where(done, "is", null)
    .where(isUnleased(at))
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

/**
 * Ends this lease. Does nothing if it has expired and another server has one, or if the file was deleted meanwhile: the lease
 * is the erasure's then.
 */
export async function endLease(
  db: Db,
  id: string,
  { work, until }: { work: FileWork; until: string },
): Promise<void> {
  await db
    .updateTable("files")
    .set({ leased_until: null })
    .where("id", "=", id)
    .where("leased_until", "=", until)
    .where("deleted_at", WORKS[work].deleted, null)
    .execute();
}

/** Ends all leases, at the start of the only server. */
export async function endAllLeases(db: Db): Promise<void> {
  for (const { done, deleted } of Object.values(WORKS)) {
    await db
      .updateTable("files")
      .set({ leased_until: null })
      .where("deleted_at", deleted, null)
      .where(done, "is", null)
      .where("leased_until", "is not", null)
      .execute();
  }
}
