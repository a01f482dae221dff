import type { Db } from "#db/open.ts";
import type { CodePurpose, UserTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
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

export async function findAccount(
  db: Db | Trx,
  by: { id: string } | { email: string } | { phone: string },
): Promise<Account | null> {
  const [[column, value]] = Object.entries(by) as [["id" | "email" | "phone", string]];
  const row = await db.selectFrom("users").selectAll().where(column, "=", value).executeTakeFirst();
  return row ? toAccount(row) : null;
}

export async function findAdmins(db: Db | Trx): Promise<Account[]> {
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where("role", "=", "admin")
    .orderBy("created_at")
    .execute();
  return rows.map(toAccount);
}

export async function findStaffAccounts(db: Db | Trx): Promise<(Account & { role: StaffRole })[]> {
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where("role", "in", STAFF_ROLES)
    .orderBy("full_name")
    .orderBy("id")
    .$narrowType<{ role: StaffRole }>()
    .execute();
  return rows.map((row) => ({ ...toAccount(row), role: row.role }));
}

/** Accounts that hold this e-mail or phone, verified or not. */
export async function findClaimants(trx: Trx, email: string, phone: string | null): Promise<Account[]> {
  const rows = await trx
    .selectFrom("users")
    .selectAll()
    .where((eb) => eb.or([eb("email", "=", email), eb("phone", "=", phone)]))
    .execute();
  return rows.map(toAccount);
}

/** False when another account holds the e-mail or phone. */
export async function insertAccount(db: Db | Trx, account: NewAccount): Promise<boolean> {
  const inserted = await db
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
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteUnverified(trx: Trx, ids: string[]): Promise<void> {
  await trx.deleteFrom("users").where("id", "in", ids).where("verified_at", "is", null).execute();
}

export async function markVerified(trx: Trx, userId: string, now: string): Promise<void> {
  await trx
    .updateTable("users")
    .set({ verified_at: now })
    .where("id", "=", userId)
    .where("verified_at", "is", null)
    .execute();
}

export async function updatePassword(trx: Trx, userId: string, passwordHash: string): Promise<void> {
  await trx.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", userId).execute();
}

export async function updateRole(trx: Trx, userId: string, role: Role): Promise<void> {
  await trx.updateTable("users").set({ role }).where("id", "=", userId).execute();
}

/** False when the account's role is another one than `from`. */
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

/** Stores a code's hash; the code that was there before no longer counts. */
export async function replaceCode(
  trx: Trx,
  code: { userId: string; purpose: CodePurpose; codeHash: string; tries: number; expiresAt: string },
): Promise<void> {
  const fresh = { code_hash: code.codeHash, tries_left: code.tries, expires_at: code.expiresAt };
  await trx
    .insertInto("one_time_codes")
    .values({ user_id: code.userId, purpose: code.purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(["user_id", "purpose"]).doUpdateSet(fresh))
    .execute();
}

/** Spends one try of a living code and returns its hash; null when there is none, or no try is left. */
export async function spendTry(
  trx: Trx,
  code: { userId: string; purpose: CodePurpose; now: string },
): Promise<string | null> {
  const row = await trx
    .updateTable("one_time_codes")
    .set((eb) => ({ tries_left: eb("tries_left", "-", 1) }))
    .where("user_id", "=", code.userId)
    .where("purpose", "=", code.purpose)
    .where("expires_at", ">", code.now)
    .where("tries_left", ">", 0)
    .returning("code_hash")
    .executeTakeFirst();
  return row?.code_hash ?? null;
}

export async function deleteCode(trx: Trx, userId: string, purpose: CodePurpose): Promise<void> {
  await trx
    .deleteFrom("one_time_codes")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .execute();
}

/** Stores a recovery token's hash; earlier links of the account no longer work. */
export async function replacePasswordReset(
  trx: Trx,
  reset: { tokenHash: string; userId: string; expiresAt: string },
): Promise<void> {
  await trx.deleteFrom("password_resets").where("user_id", "=", reset.userId).execute();
  await trx
    .insertInto("password_resets")
    .values({ token_hash: reset.tokenHash, user_id: reset.userId, expires_at: reset.expiresAt })
    .execute();
}

export async function hasPasswordReset(db: Db, tokenHash: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom("password_resets")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a recovery token up and returns its account's id; null when it is unknown, used or expired. */
export async function takePasswordReset(trx: Trx, tokenHash: string, now: string): Promise<string | null> {
  const row = await trx
    .deleteFrom("password_resets")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

function toAccount(row: UserTable): Account {
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
