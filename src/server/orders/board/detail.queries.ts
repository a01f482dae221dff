import type { Db } from "#db/database.ts";
import type { OrderNoteTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
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
