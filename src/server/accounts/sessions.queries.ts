import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { SessionTable, UserTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { type Role, STAFF_ROLES } from "#shared/schemas/accounts.ts";

export interface SessionRecord {
  /** SHA-256 of the token. */
  id: string;
  userId: string;
  expiresAt: Date;
  /** The id that the user sees. */
  publicId: string;
  /** Browser and system; empty when unknown. */
  device: string;
  /** Time of the login. */
  createdAt: Date;
  lastSeenAt: Date;
  /** When the user last proved their identity. */
  confirmedAt: Date | null;
  /** Others use the computer too. */
  isShared: boolean;
}

export interface SessionOwner {
  email: string;
  phone: string;
  fullName: string;
  role: Role;
  hasSecondFactor: boolean;
}

export interface FoundSession {
  session: SessionRecord;
  owner: SessionOwner;
}

/** Not looked up for students, who have none. */
const HAS_SECOND_FACTOR = sql<number>`case
  when users.role = 'customer' then 0
  when exists (select 1 from totp_secrets where totp_secrets.user_id = users.id) then 1
  when exists (select 1 from passkeys where passkeys.user_id = users.id) then 1
  else 0 end`;

/** Sessions are found in lists of this length, and alone. */
const LIST_LENGTH = 16;

const oneSession = sessionsQuery(1);
const listOfSessions = sessionsQuery(LIST_LENGTH);

function sessionsQuery(length: number) {
  return new PreparedQuery((db, ids: Placeholders<readonly string[]>) =>
    db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select(["sessions.id", "sessions.user_id", "sessions.expires_at"])
      .select("sessions.created_at")
      .select(HAS_SECOND_FACTOR.as("has_second_factor"))
      .select(["sessions.public_id", "sessions.device", "sessions.last_seen_at"])
      .select(["sessions.confirmed_at", "sessions.shared"])
      .select(["users.email", "users.phone", "users.full_name", "users.role"])
      .where(
        "sessions.id",
        "in",
        Array.from({ length }, (_, at) => ids[at] as RawBuilder<string>),
      )
      .where("users.deleted_at", "is", null)
      .where("users.role", "<>", "visitor")
      .$narrowType<{ role: Role }>(),
  );
}

const newSession = new PreparedInsert((db, rows: Placeholders<Selectable<SessionTable>>[]) =>
  db.insertInto("sessions").values(rows),
);

/** The sessions with these ids, with their users, by id; unknown ids are left out. */
export async function findSessions(db: Db, ids: readonly string[]): Promise<Map<string, FoundSession>> {
  const found = new Map<string, FoundSession>();
  for (let from = 0; from < ids.length; from += LIST_LENGTH) {
    const list = ids.slice(from, from + LIST_LENGTH);
    for (const row of await findRows(db, list))
      found.set(row.id, { session: toRecord(row), owner: toOwner(row) });
  }
  return found;
}

function findRows(db: Db, ids: readonly string[]) {
  const [id = ""] = ids;
  if (ids.length === 1) return oneSession.rows(db, [id]);
  // A list is filled up by its first id.
  return listOfSessions.rows(
    db,
    Array.from({ length: LIST_LENGTH }, (_, at) => ids[at] ?? id),
  );
}

/** Inserts a session and deletes those of its user beyond the `most` last used. */
export async function insertSession(db: Db, session: SessionRecord, most: number): Promise<void> {
  const row = {
    id: session.id,
    public_id: session.publicId,
    user_id: session.userId,
    device: session.device,
    expires_at: session.expiresAt.toISOString(),
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    confirmed_at: session.confirmedAt?.toISOString() ?? null,
    shared: session.isShared ? (1 as const) : (0 as const),
  };
  await newSession.rows(db, [row]);
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", session.userId)
    .where("last_seen_at", "<", (eb) =>
      eb
        .selectFrom("sessions as kept")
        .select("kept.last_seen_at")
        .where("kept.user_id", "=", session.userId)
        .orderBy("kept.last_seen_at", "desc")
        .limit(1)
        .offset(most - 1),
    )
    .execute();
}

/** The user's sessions that have not expired, the last used first. */
export async function findSessionsOf(db: Db, userId: string, now: Date): Promise<SessionRecord[]> {
  const rows = await db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now.toISOString())
    .orderBy("last_seen_at", "desc")
    .orderBy("public_id")
    .execute();
  return rows.map(toRecord);
}

/** Records that a session was used. */
export async function markSeen(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable("sessions").set({ last_seen_at: at.toISOString() }).where("id", "=", id).execute();
}

/** Gives a session a new id and records the proof of identity; null when no session has the id `from`. */
export async function renewSession(
  db: Db,
  from: string,
  { id, confirmedAt }: { id: string; confirmedAt: Date },
): Promise<SessionRecord | null> {
  const row = await db
    .updateTable("sessions")
    .set({ id, confirmed_at: confirmedAt.toISOString() })
    .where("id", "=", from)
    .returningAll()
    .executeTakeFirst();
  return row ? toRecord(row) : null;
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

/** Deletes the user's session with this public id; false when there is none. */
export async function deleteSessionByPublicId(db: Db, userId: string, publicId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("public_id", "=", publicId)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes all sessions of the user except this one. */
export async function deleteOtherSessions(db: Db | Trx, userId: string, keptId: string): Promise<void> {
  await db.deleteFrom("sessions").where("user_id", "=", userId).where("id", "!=", keptId).execute();
}

/** Also deletes pending logins. */
export async function deleteSessionsOf(db: Db | Trx, userId: string): Promise<void> {
  await db.deleteFrom("pending_logins").where("user_id", "=", userId).execute();
  await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/** Deletes sessions that have expired, and those of staff and on shared computers that were last seen or opened too long ago. */
export async function deleteExpiredSessions(
  db: Db,
  ends: { now: Date; seenBefore: Date; openedBefore: Date; sharedSeenBefore: Date },
): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<=", ends.now.toISOString()).execute();
  await db
    .deleteFrom("sessions")
    .where("shared", "=", sql.lit(1))
    .where("last_seen_at", "<=", ends.sharedSeenBefore.toISOString())
    .execute();
  await db
    .deleteFrom("sessions")
    .where("user_id", "in", (eb) => eb.selectFrom("users").select("id").where("role", "in", STAFF_ROLES))
    .where((eb) =>
      eb.or([
        eb("last_seen_at", "<=", ends.seenBefore.toISOString()),
        eb("created_at", "<=", ends.openedBefore.toISOString()),
      ]),
    )
    .execute();
}

function toRecord(row: Selectable<SessionTable>): SessionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    expiresAt: new Date(row.expires_at),
    publicId: row.public_id,
    device: row.device,
    createdAt: new Date(row.created_at),
    lastSeenAt: new Date(row.last_seen_at),
    confirmedAt: row.confirmed_at === null ? null : new Date(row.confirmed_at),
    isShared: row.shared === 1,
  };
}

type OwnerRow = Pick<UserTable, "email" | "phone" | "full_name"> & { role: Role; has_second_factor: number };

function toOwner(row: OwnerRow): SessionOwner {
  const { email, phone, full_name: fullName, role } = row;
  return { email, phone: phone ?? "", fullName, role, hasSecondFactor: row.has_second_factor === 1 };
}
