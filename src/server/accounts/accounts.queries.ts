import type { Db } from "#db/database.ts";
import { claimFact, findFact } from "#db/facts.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { UserTable } from "#db/schema.ts";
import { isOneOf, lockRows } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import { type CurrentUser, type Role, STAFF_ROLES, type StaffRole } from "#shared/schemas/accounts.ts";

export interface Account extends CurrentUser {
  passwordHash: string;
  verified: boolean;
}

export interface NewAccount {
  id: string;
  email: string;
  phone: string | null;
  fullName: string;
  passwordHash: string;
  role: Role;
  verifiedAt: string | null;
  termsAcceptedAt: string | null;
  createdAt: string;
}

/** Stored instead of a hash; no password matches it. */
export const NO_PASSWORD = "";

type AccountKey = { id: string } | { email: string } | { phone: string };

const FIND = { id: findBy("id"), email: findBy("email"), phone: findBy("phone") };
const FIND_AND_LOCK = {
  id: findBy("id", { locks: true }),
  email: findBy("email", { locks: true }),
  phone: findBy("phone", { locks: true }),
};

function findBy(column: "id" | "email" | "phone", { locks = false } = {}) {
  return new PreparedQuery((db, { value }: Placeholders<{ value: string }>) => {
    const account = accounts(db).where(column, "=", value).where("deleted_at", "is", null);
    return locks ? lockRows(db, account) : account;
  });
}

/** Finds the account with this id, e-mail or phone. Deleted accounts are not found. */
export async function findAccount(db: Db | Trx, by: AccountKey): Promise<Account | null> {
  const [column, value] = columnOf(by);
  const row = await FIND[column].first(db, { value });
  return row ? toAccount(row) : null;
}

/** Finds the account and locks its row until the transaction ends. */
export async function lockAccount(trx: Trx, by: AccountKey): Promise<Account | null> {
  const [column, value] = columnOf(by);
  const row = await FIND_AND_LOCK[column].first(trx, { value });
  return row ? toAccount(row) : null;
}

function columnOf(by: AccountKey): ["id" | "email" | "phone", string] {
  const [entry] = Object.entries(by) as [["id" | "email" | "phone", string]];
  return entry;
}

export async function findAdmins(db: Db | Trx): Promise<Account[]> {
  const rows = await accounts(db).where("role", "=", "admin").orderBy("created_at").execute();
  return rows.map(toAccount);
}

const FIRST_ADMIN_FACT = "first-admin";

export async function isFirstAdminRecorded(db: Db | Trx): Promise<boolean> {
  return (await findFact(db, FIRST_ADMIN_FACT)) !== undefined;
}

/** Records that the store has had its first admin; false when it was already recorded. */
export function recordFirstAdmin(trx: Trx, at: string): Promise<boolean> {
  return claimFact(trx, FIRST_ADMIN_FACT, at);
}

/** Locks the rows of all admins until the transaction ends, so that nobody else can change who is an admin. */
export async function lockAdmins(trx: Trx): Promise<void> {
  await lockRows(trx, trx.selectFrom("users").select("id").where("role", "=", "admin")).execute();
}

export async function findStaffAccounts(
  db: Db,
  ids: "all" | readonly string[],
): Promise<(Account & { role: StaffRole })[]> {
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where(isOneOf("id", ids))
    .where("role", "in", STAFF_ROLES)
    .orderBy("full_name")
    .orderBy("id")
    .$narrowType<{ role: StaffRole }>()
    .execute();
  return rows.map((row) => ({ ...toAccount(row), role: row.role }));
}

/** Accounts with this e-mail or phone, verified or not. */
export async function findAccountsByContact(
  trx: Trx,
  email: string,
  phone: string | null,
): Promise<Account[]> {
  const rows = await accounts(trx)
    .where((eb) => eb.or([eb("email", "=", email), eb("phone", "=", phone)]))
    .execute();
  return rows.map(toAccount);
}

export async function insertAccount(trx: Trx, account: NewAccount): Promise<void> {
  await trx
    .insertInto("users")
    .values({
      id: account.id,
      email: account.email,
      phone: account.phone,
      full_name: account.fullName,
      password_hash: account.passwordHash,
      role: account.role,
      verified_at: account.verifiedAt,
      terms_accepted_at: account.termsAcceptedAt,
      created_at: account.createdAt,
    })
    .execute();
}

export async function deleteUnverified(trx: Trx, ids: string[]): Promise<void> {
  await trx.deleteFrom("users").where("id", "in", ids).where("verified_at", "is", null).execute();
}

/** Deletes up to `limit` students' accounts that were made before `before` and never verified. */
export async function deleteUnverifiedBefore(
  db: Db,
  { before, limit }: { before: string; limit: number },
): Promise<void> {
  await db
    .deleteFrom("users")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("users")
        .select("id")
        .where("verified_at", "is", null)
        .where("role", "=", "customer")
        .where("created_at", "<=", before)
        .orderBy("created_at")
        .limit(limit),
    )
    .execute();
}

/** Verifies an account with the code of its own sign-up and keeps everything that was entered there. */
export async function markVerified(trx: Trx, userId: string, now: string): Promise<void> {
  await trx
    .updateTable("users")
    .set({ verified_at: now })
    .where("id", "=", userId)
    .where("verified_at", "is", null)
    .execute();
}

/**
 * Verifies an account whose address was proved in another way than by its sign-up code. Anybody may have signed up with
 * that address, so password, phone and name are removed. An account that is already verified does not change.
 */
export async function verifyByEmailOnly(trx: Trx, account: Account, now: string): Promise<Account> {
  if (account.verified) return account;
  const row = await trx
    .updateTable("users")
    .set({
      verified_at: now,
      password_hash: NO_PASSWORD,
      phone: null,
      full_name: account.email.split("@")[0] ?? account.email,
      terms_accepted_at: null,
    })
    .where("id", "=", account._id)
    .returningAll()
    .$narrowType<{ role: Role }>()
    .executeTakeFirstOrThrow();
  return toAccount(row);
}

export async function updatePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", userId).execute();
}

/** Returns false when the account no longer has the role `from`. */
export async function changeRole(
  trx: Trx,
  userId: string,
  { from, to }: { from: Role; to: Role },
): Promise<boolean> {
  const changed = await trx
    .updateTable("users")
    .set({ role: to })
    .where("id", "=", userId)
    .where("role", "=", from)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

/** The rows of accounts: all but those of visitors at a counter. */
function accounts(db: Db | Trx) {
  return db.selectFrom("users").selectAll().where("role", "<>", "visitor").$narrowType<{ role: Role }>();
}

function toAccount(row: UserTable & { role: Role }): Account {
  return {
    _id: row.id,
    email: row.email,
    phone: row.phone ?? "",
    fullName: row.full_name,
    role: row.role,
    passwordHash: row.password_hash,
    verified: row.verified_at !== null,
  };
}

export type ProfileChange = { full_name: string } | { phone: string } | { email: string };

/** Updates the name, phone or e-mail; undefined when the account is deleted. */
export async function updateProfile(
  trx: Trx,
  userId: string,
  change: ProfileChange,
): Promise<CurrentUser | undefined> {
  const row = await trx
    .updateTable("users")
    .set(change)
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .where("role", "<>", "visitor")
    .returning(["id as _id", "full_name as fullName", "email", "phone", "role"])
    .$narrowType<{ role: Role }>()
    .executeTakeFirst();
  return row && { ...row, phone: row.phone ?? "" };
}

/** Replaces the password hash `from` by `to`; false when it was changed in the meantime. */
export async function replacePassword(
  trx: Trx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const changed = await trx
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}

export async function findUser(db: Db, userId: string): Promise<UserTable> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
}

/** Removes all personal data from a customer's row; false when it belongs to no customer or is already deleted. */
export async function anonymiseCustomer(
  trx: Trx,
  userId: string,
  { email, fullName, at }: { email: string; fullName: string; at: string },
): Promise<boolean> {
  const blanked = await trx
    .updateTable("users")
    .set({ email, phone: null, full_name: fullName, password_hash: NO_PASSWORD, deleted_at: at })
    .where("id", "=", userId)
    .where("role", "=", "customer")
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return blanked !== undefined;
}

export async function deleteAllMailOptOuts(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("mail_refusals").where("user_id", "=", userId).execute();
}

const mailOptOutsOf = new PreparedQuery((db, { userId }: Placeholders<{ userId: string }>) =>
  db.selectFrom("mail_refusals").select("kind").where("user_id", "=", userId),
);

/** The kinds of mail that this user has opted out of. */
export async function findMailOptOuts(db: Db | Trx, userId: string): Promise<MailChoice[]> {
  const rows = await mailOptOutsOf.rows(db, { userId });
  return rows.map(({ kind }) => kind);
}

export async function insertMailOptOut(db: Db, userId: string, kind: MailChoice): Promise<void> {
  await db
    .insertInto("mail_refusals")
    .values({ user_id: userId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteMailOptOut(db: Db, userId: string, kind: MailChoice): Promise<void> {
  await db.deleteFrom("mail_refusals").where("user_id", "=", userId).where("kind", "=", kind).execute();
}
