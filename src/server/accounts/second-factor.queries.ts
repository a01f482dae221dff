import type { Db } from "#db/database.ts";
import { findFact } from "#db/facts.ts";
import type { PasskeyTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Role } from "#shared/schemas/accounts.ts";

/** The row in store_facts that says whether owners and counter staff need a second factor. */
const RULE_FACT = "staff-second-factor";

export async function isRuleSet(db: Db | Trx): Promise<boolean> {
  return (await findFact(db, RULE_FACT)) === "required";
}

export async function storeRule(trx: Trx, isRequired: boolean): Promise<void> {
  const value = isRequired ? "required" : "offered";
  await trx
    .insertInto("store_facts")
    .values({ name: RULE_FACT, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Whether this role requires a second factor: admins under https, other staff by the store's rule. */
export async function isSecondFactorRequired(
  db: Db | Trx,
  role: Role,
  publicUrl: string | null,
): Promise<boolean> {
  if (role === "customer") return false;
  if (role === "admin") return publicUrl?.startsWith("https:") ?? false;
  return isRuleSet(db);
}

export interface SecondFactors {
  totp: { createdAt: string } | null;
  passkeys: { id: string; name: string; createdAt: string; lastUsedAt: string | null }[];
  recoveryCodesLeft: number;
}

export async function findSecondFactors(db: Db | Trx, userId: string): Promise<SecondFactors> {
  const totp = await db
    .selectFrom("totp_secrets")
    .select("created_at")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const passkeys = await db
    .selectFrom("passkeys")
    .select(["id", "name", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  const codes = await db
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("user_id", "=", userId)
    .execute();
  return { totp: totp ? { createdAt: totp.created_at } : null, passkeys, recoveryCodesLeft: codes.length };
}

export async function findTotpSecret(db: Db | Trx, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom("totp_secrets")
    .select("secret")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.secret ?? null;
}

export async function replaceTotpSecret(
  trx: Trx,
  { userId, secret, step, at }: { userId: string; secret: string; step: number; at: string },
): Promise<void> {
  const row = { secret, last_step: step, created_at: at };
  await trx
    .insertInto("totp_secrets")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

/** Marks a time step's code as used; false when it, or a later one, was already used. */
export async function consumeTotpStep(
  db: Db | Trx,
  { userId, secret, step }: { userId: string; secret: string; step: number },
): Promise<boolean> {
  const taken = await db
    .updateTable("totp_secrets")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("secret", "=", secret)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteTotpSecret(trx: Trx, userId: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("totp_secrets")
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function findPasskey(db: Db | Trx, id: string): Promise<PasskeyTable | null> {
  return (await db.selectFrom("passkeys").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Returns false when this passkey is already stored. */
export async function insertPasskey(trx: Trx, passkey: PasskeyTable): Promise<boolean> {
  const inserted = await trx
    .insertInto("passkeys")
    .values(passkey)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Records a use of the passkey; false when another use was recorded since `counter` was read. */
export async function markPasskeyUsed(
  db: Db,
  { id, counter }: PasskeyTable,
  { newCounter, at }: { newCounter: number; at: string },
): Promise<boolean> {
  const marked = await db
    .updateTable("passkeys")
    .set({ counter: String(newCounter), last_used_at: at })
    .where("id", "=", id)
    .where("counter", "=", counter)
    .returning("id")
    .executeTakeFirst();
  return marked !== undefined;
}

/** Deletes a passkey and returns its name; null when the user has no such passkey. */
export async function deletePasskey(trx: Trx, userId: string, id: string): Promise<string | null> {
  const deleted = await trx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  return deleted?.name ?? null;
}

export async function replaceRecoveryCodes(trx: Trx, userId: string, hashes: string[]): Promise<void> {
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto("recovery_codes")
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Uses up a recovery code; false when it does not exist. */
export async function consumeRecoveryCode(trx: Trx, userId: string, codeHash: string): Promise<boolean> {
  const taken = await trx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .returning("user_id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes all second factors of a user, and the logins that wait for one. */
export async function deleteSecondFactors(trx: Trx, userId: string): Promise<void> {
  for (const table of [
    "totp_secrets",
    "passkeys",
    "recovery_codes",
    "pending_logins",
    "passkey_challenges",
  ] as const)
    await trx.deleteFrom(table).where("user_id", "=", userId).execute();
}

export async function insertPendingLogin(
  db: Db,
  { id, userId, expiresAt, isShared }: { id: string; userId: string; expiresAt: string; isShared: boolean },
): Promise<void> {
  await db
    .insertInto("pending_logins")
    .values({ id, user_id: userId, expires_at: expiresAt, shared: isShared ? 1 : 0 })
    .execute();
}

export async function findPendingLogin(db: Db | Trx, id: string, now: string): Promise<string | null> {
  const row = await db
    .selectFrom("pending_logins")
    .select("user_id")
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Uses up a pending login and says whether its computer is shared; null when it is unknown, used or expired. */
export async function consumePendingLogin(
  db: Db | Trx,
  id: string,
  now: string,
): Promise<{ isShared: boolean } | null> {
  const row = await db
    .deleteFrom("pending_logins")
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .returning("shared")
    .executeTakeFirst();
  return row ? { isShared: row.shared === 1 } : null;
}

export async function insertChallenge(
  db: Db,
  challenge: { id: string; userId: string | null; expiresAt: string },
): Promise<void> {
  await db
    .insertInto("passkey_challenges")
    .values({ id: challenge.id, user_id: challenge.userId, expires_at: challenge.expiresAt })
    .execute();
}

/** Uses up a challenge; false when it is unknown, used, expired or another user's. */
export async function consumeChallenge(
  db: Db,
  id: string,
  userId: string | null,
  now: string,
): Promise<boolean> {
  const taken = await db
    .deleteFrom("passkey_challenges")
    .where("id", "=", id)
    .where("user_id", userId === null ? "is" : "=", userId)
    .where("expires_at", ">", now)
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function deleteExpiredPending(db: Db, now: string): Promise<void> {
  await db.deleteFrom("pending_logins").where("expires_at", "<=", now).execute();
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
}
