import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "#db/database.ts";
import type { OrderNoteTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { agreedFiles, agreedJobs } from "#shared/order-jobs.ts";
import { type OrderState, PRINTABLE_STATES } from "#shared/order-states.ts";
import { type SizeNotes, sizeNotesOf } from "#shared/paper-sizes.ts";
import { isOrderOf } from "../orders.queries.ts";

export interface Note {
  id: string;
  body: string;
  by: string;
  at: string;
}

/** When the visit at the counter ends whose visitor this is; null where it has ended. */
export async function findVisitEnd(db: Db, userId: string): Promise<string | null> {
  const visit = await db
    .selectFrom("visits")
    .select("expires_at")
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return visit?.expires_at ?? null;
}

/** Staff notes about the order, newest first. */
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

/** False if there is a note with this id already. */
export async function insertNote(trx: Trx, note: OrderNoteTable): Promise<boolean> {
  const row = await trx
    .insertInto("order_notes")
    .values(note)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findNote(trx: Trx, id: string): Promise<OrderNoteTable | undefined> {
  return trx.selectFrom("order_notes").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Deletes the staff notes about this user's orders. */
export async function deleteNotesAbout(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("order_notes").where(isOrderOf(userId)).execute();
}

/**
 * Cache of the notes by order id, with the hash of the data that they were computed from: for thousands of pages of alternating
 * sizes, computing them each time the board is loaded would block the event loop.
 */
const foundSizes = new LRUCache<string, { from: string; notes: SizeNotes }>({ max: 5000 });

/** The notes of orders that may still be printed, by id; those with nothing to ask are left out. */
export async function findSizeNotes(
  db: Db,
  orders: readonly { id: string; state: OrderState }[],
): Promise<Map<string, SizeNotes>> {
  const ids = orders.filter(({ state }) => PRINTABLE_STATES.includes(state)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const files = await db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .innerJoin("orders", "orders.id", "order_files.order_id")
    .select(["orders.id as orderId", "orders.pages as ordered", "orders.jobs"])
    .select(["order_files.page_ranges as pageRanges", "files.pages", "files.page_sizes as pageSizes"])
    .where("order_files.order_id", "in", ids)
    .where("files.deleted_at", "is", null)
    .orderBy("order_files.position")
    .execute();
  const papers = await db
    .selectFrom("order_lines")
    .select(["order_id", "kind", "name"])
    .where("order_id", "in", ids)
    .where("kind", "=", "paperSizes")
    .orderBy("job")
    .execute();
  const papersBy = Map.groupBy(papers, ({ order_id }) => order_id);
  return new Map(
    [...Map.groupBy(files, ({ orderId }) => orderId)].flatMap(([id, own]) => {
      const [{ ordered = 0, jobs = null } = {}] = own;
      const lines = (papersBy.get(id) ?? []).map((line) => [line]);
      const from = createHash("sha256")
        .update(JSON.stringify([own, lines]))
        .digest("base64url");
      const known = foundSizes.get(id);
      const order = { pages: ordered, jobs };
      const notes =
        known?.from === from
          ? known.notes
          : sizeNotesOf(agreedFiles(order, own), agreedJobs(order, own), lines);
      foundSizes.set(id, { from, notes });
      return notes.some((note) => note !== null) ? [[id, notes] as const] : [];
    }),
  );
}
