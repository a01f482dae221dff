import { sql } from "kysely";
import type { Db } from "#db/database.ts";
import type { StaffInvitationTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import type { ShopScope } from "../context.ts";
import { uuidv7 } from "../lib/crypto.ts";

export async function findShopIdsOf(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db.selectFrom("shop_staff").select("shop_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.shop_id);
}

/** The shop ids of each owner and of all counter staff, or of these people. */
export async function findShopIdsByUser(
  db: Db,
  userIds: "all" | readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("shop_staff")
    .select(["user_id", "shop_id"])
    .where(isOneOf("user_id", userIds))
    .execute();
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map([...byUser].map(([userId, group]) => [userId, group.map((row) => row.shop_id)]));
}

/** The user ids of those who work at these shops. */
export async function findPeopleAt(db: Db, shopIds: readonly string[]): Promise<string[]> {
  const people = db.selectFrom("shop_staff").select("user_id").where(isOneOf("shop_id", shopIds)).distinct();
  return (await people.execute()).map((row) => row.user_id);
}

/** Replaces the person's shops. */
export async function replaceShopsOf(
  trx: Trx,
  { userId, shopIds, now }: { userId: string; shopIds: readonly string[]; now: string },
): Promise<void> {
  await trx.deleteFrom("shop_staff").where("user_id", "=", userId).execute();
  await addShopsOf(trx, { userId, shopIds, now });
}

/**
 * How long former staff are remembered: a change of a payment address is mailed to those who left within the day before
 * it, and can be undone for a day.
 */
const FORMER_STAFF_KEPT_MS = 2 * DAY_MS;

/** Records when somebody stopped owning these shops, or being an admin (null), and deletes old records. */
export async function recordFormerStaff(
  trx: Trx,
  { userId, left, now }: { userId: string; left: readonly (string | null)[]; now: Date },
): Promise<void> {
  const longAgo = new Date(now.getTime() - FORMER_STAFF_KEPT_MS).toISOString();
  await trx.deleteFrom("former_staff").where("left_at", "<=", longAgo).execute();
  if (left.length === 0) return;
  const left_at = now.toISOString();
  await trx
    .insertInto("former_staff")
    .values(left.map((shop_id) => ({ id: uuidv7(), user_id: userId, shop_id, left_at })))
    .execute();
}

/** Adds these shops to the person's shops. */
export async function addShopsOf(
  trx: Trx,
  { userId, shopIds, now }: { userId: string; shopIds: readonly string[]; now: string },
): Promise<void> {
  if (shopIds.length === 0) return;
  await trx
    .insertInto("shop_staff")
    .values(shopIds.map((shop_id) => ({ user_id: userId, shop_id, created_at: now })))
    .onConflict((conflict) => conflict.columns(["user_id", "shop_id"]).doNothing())
    .execute();
}

export interface InvitationRecord {
  id: string;
  email: string;
  role: StaffRole;
  shopIds: string[];
  /** The user id of the inviter. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
}

/** All pending invitations, or those to these shops, including expired ones, newest first. */
export async function findInvitations(db: Db, shops: ShopScope): Promise<InvitationRecord[]> {
  let query = invitationRows(db).orderBy("created_at", "desc");
  if (shops !== "all") {
    query = query.where("id", "in", (eb) =>
      eb
        .selectFrom("staff_invitation_shops as own")
        .select("own.invitation_id")
        .where(isOneOf("own.shop_id", shops)),
    );
  }
  return toRecords(await query.execute());
}

export async function findInvitation(
  db: Db | Trx,
  by: { id: string } | { token_hash: string },
): Promise<InvitationRecord | null> {
  const [[column, value]] = Object.entries(by) as [["id" | "token_hash", string]];
  const [invitation] = toRecords(await invitationRows(db).where(column, "=", value).execute());
  return invitation ?? null;
}

/** Stores an invitation; it replaces any other of the same inviter to this e-mail. */
export async function replaceInvitation(
  trx: Trx,
  { shopIds, ...invitation }: InvitationRecord & { tokenHash: string },
): Promise<void> {
  await trx
    .deleteFrom("staff_invitations")
    .where("email", "=", invitation.email)
    .where("invited_by", "=", invitation.invitedBy)
    .execute();
  await trx
    .insertInto("staff_invitations")
    .values({
      id: invitation.id,
      email: invitation.email,
      role: invitation.role,
      token_hash: invitation.tokenHash,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute();
  if (shopIds.length === 0) return;
  await trx
    .insertInto("staff_invitation_shops")
    .values(shopIds.map((shop_id) => ({ invitation_id: invitation.id, shop_id })))
    .execute();
}

/** Deletes an invitation; false when it was already gone. */
export async function deleteInvitation(trx: Trx, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("staff_invitations")
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes all invitations to this e-mail, whoever sent them. */
export async function deleteInvitationsTo(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom("staff_invitations").where("email", "=", email).execute();
}

/** Deletes the invitations that ended before `before`. Returns the e-mails among theirs with no account or later invitation. */
export async function deleteInvitationsBefore(trx: Trx, before: string): Promise<string[]> {
  const deleted = await trx
    .deleteFrom("staff_invitations")
    .where("expires_at", "<=", before)
    .returning([
      "email",
      sql<number>`exists(select 1 from users where users.email = staff_invitations.email and users.verified_at is not null)
        or exists(select 1 from staff_invitations later where later.email = staff_invitations.email and later.expires_at > ${before})`.as(
        "isKnown",
      ),
    ])
    .execute();
  return deleted.filter(({ isKnown }) => !isKnown).map(({ email }) => email);
}

/** Deletes the invitations to this e-mail for roles other than counter. */
export async function deleteNonCounterInvitations(trx: Trx, email: string): Promise<void> {
  await trx
    .deleteFrom("staff_invitations")
    .where("email", "=", email)
    .where("role", "<>", "counter")
    .execute();
}

/** Removes these shops from all invitations to this e-mail, and deletes those without any shop left. */
export async function removeShopsFromInvitations(
  trx: Trx,
  { email, shopIds }: { email: string; shopIds: readonly string[] },
): Promise<void> {
  if (shopIds.length === 0) return;
  await trx
    .deleteFrom("staff_invitation_shops")
    .where("shop_id", "in", shopIds)
    .where("invitation_id", "in", (eb) =>
      eb.selectFrom("staff_invitations").select("id").where("email", "=", email),
    )
    .execute();
  await trx
    .deleteFrom("staff_invitations")
    .where("email", "=", email)
    .where("role", "<>", "admin")
    .where("id", "not in", ({ selectFrom }) => selectFrom("staff_invitation_shops").select("invitation_id"))
    .execute();
}

/** A row for each shop of an invitation, or one without a shop. */
function invitationRows(db: Db | Trx) {
  return db
    .selectFrom("staff_invitations")
    .leftJoin("staff_invitation_shops", "invitation_id", "id")
    .selectAll("staff_invitations")
    .select("shop_id");
}

function toRecords(rows: (StaffInvitationTable & { shop_id: string | null })[]): InvitationRecord[] {
  const records = new Map<string, InvitationRecord>();
  for (const row of rows) {
    const record = records.get(row.id) ?? toRecord(row);
    records.set(row.id, record);
    if (row.shop_id !== null) record.shopIds.push(row.shop_id);
  }
  return [...records.values()];
}

function toRecord(row: StaffInvitationTable): InvitationRecord {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    shopIds: [],
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
