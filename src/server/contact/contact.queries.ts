import type { Insertable } from "kysely";
import type { Db } from "#db/database.ts";
import type { ContactMessageTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { ContactListInput, ContactState } from "#shared/schemas/contact.ts";
import { isAfterCursor, PAGE_QUERY_ROWS } from "../lib/paging.ts";

export interface ContactMessage {
  id: string;
  fullName: string;
  email: string;
  subject: string;
  message: string;
  createdAt: string;
  state: ContactState;
  /** Who last changed the state, and when. */
  stateBy: string | null;
  stateAt: string | null;
}

export async function insertContactMessage(trx: Trx, row: Insertable<ContactMessageTable>): Promise<void> {
  await trx.insertInto("contact_messages").values(row).execute();
}

/** Messages in this state, or in any, newest first, starting after a given message: one more than a page shows. */
export async function findContactMessages(
  db: Db,
  { state, cursor }: ContactListInput,
): Promise<ContactMessage[]> {
  let query = db
    .selectFrom("contact_messages")
    .leftJoin("users", "users.id", "contact_messages.state_by")
    .selectAll("contact_messages")
    .select("users.full_name as state_by_name")
    .orderBy("contact_messages.created_at", "desc")
    .orderBy("contact_messages.id", "desc")
    .limit(PAGE_QUERY_ROWS);
  if (state) query = query.where("state", "=", state);
  if (cursor) query = query.where(isAfterCursor("contact_messages", cursor));
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    fullName: row.full_name,
    email: row.email,
    subject: row.subject,
    message: row.message,
    createdAt: row.created_at,
    state: row.state,
    stateBy: row.state_by_name,
    stateAt: row.state_at,
  }));
}

/** The number of unanswered messages by state; states without messages are missing. */
export async function countContactMessages(db: Db): Promise<Partial<Record<ContactState, number>>> {
  const rows = await db
    .selectFrom("contact_messages")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("state", "in", ["new", "read"])
    .groupBy("state")
    .execute();
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

export async function findSender(
  trx: Trx,
  id: string,
): Promise<{ fullName: string; state: ContactState } | null> {
  const row = await trx
    .selectFrom("contact_messages")
    .select(["full_name", "state"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { fullName: row.full_name, state: row.state } : null;
}

export async function updateContactState(
  trx: Trx,
  id: string,
  change: { state: ContactState; by: string; now: string },
): Promise<void> {
  await trx
    .updateTable("contact_messages")
    .set({ state: change.state, state_by: change.by, state_at: change.now })
    .where("id", "=", id)
    .execute();
}

export interface SentMessage {
  fullName: string;
  subject: string;
  message: string;
  sentAt: string;
}

/** Messages sent with this e-mail address, newest first. */
export async function findMessagesFrom(db: Db, email: string): Promise<SentMessage[]> {
  return db
    .selectFrom("contact_messages")
    .select(["full_name as fullName", "subject", "message", "created_at as sentAt"])
    .where("email", "=", email)
    .orderBy("created_at", "desc")
    .execute();
}

export async function updateMessageEmails(
  trx: Trx,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await trx.updateTable("contact_messages").set({ email: to }).where("email", "=", from).execute();
}

export async function deleteMessagesFrom(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom("contact_messages").where("email", "=", email).execute();
}
