import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { Role } from "#shared/schemas/accounts.ts";

export interface SessionRecord {
  /** SHA-256 of the token. */
  id: string;
  userId: string;
  expiresAt: Date;
}

export interface SessionOwner {
  email: string;
  phone: string;
  fullName: string;
  role: Role;
}

export async function findSession(
  db: Db,
  id: string,
): Promise<{ session: SessionRecord; owner: SessionOwner } | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["sessions.id", "sessions.user_id", "sessions.expires_at"])
    .select(["users.email", "users.phone", "users.full_name", "users.role"])
    .where("sessions.id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  return {
    session: { id: row.id, userId: row.user_id, expiresAt: new Date(row.expires_at) },
    owner: { email: row.email, phone: row.phone ?? "", fullName: row.full_name, role: row.role },
  };
}

export async function findSessionsOf(db: Db, userId: string): Promise<SessionRecord[]> {
  const rows = await db.selectFrom("sessions").selectAll().where("user_id", "=", userId).execute();
  return rows.map((row) => ({ id: row.id, userId: row.user_id, expiresAt: new Date(row.expires_at) }));
}

export async function insertSession(db: Db, session: SessionRecord, now: Date): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      expires_at: session.expiresAt.toISOString(),
      created_at: now.toISOString(),
    })
    .execute();
}

export async function extendSession(db: Db, id: string, expiresAt: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ expires_at: expiresAt.toISOString() })
    .where("id", "=", id)
    .execute();
}

export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom("sessions").where("id", "=", id).execute();
}

export async function deleteSessionsOf(db: Db | Trx, userId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

export async function deleteSessionsBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", now.toISOString()).execute();
}
