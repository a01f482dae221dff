import type { Db } from "#db/database.ts";
import type { CodePurpose } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Stores the hash of a code; it replaces an earlier code. */
export async function replaceCode(
  trx: Trx,
  code: {
    userId: string;
    purpose: CodePurpose;
    codeHash: string;
    tries: number;
    expiresAt: string;
    newContact: string | null;
  },
): Promise<void> {
  const fresh = {
    code_hash: code.codeHash,
    tries_left: code.tries,
    device_tries_left: code.tries,
    expires_at: code.expiresAt,
    new_contact: code.newContact,
  };
  await trx
    .insertInto("one_time_codes")
    .values({ user_id: code.userId, purpose: code.purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(["user_id", "purpose"]).doUpdateSet(fresh))
    .execute();
}

/**
 * Uses one try of a valid code, counted for strangers or for known devices, and returns the code's hash; null when none
 * is left.
 */
export async function consumeCodeTry(
  trx: Trx,
  code: { userId: string; purpose: CodePurpose; isKnownDevice: boolean; now: string },
): Promise<string | null> {
  const tries = code.isKnownDevice ? "device_tries_left" : "tries_left";
  const row = await trx
    .updateTable("one_time_codes")
    .set((eb) => ({ [tries]: eb(tries, "-", 1) }))
    .where("user_id", "=", code.userId)
    .where("purpose", "=", code.purpose)
    .where("expires_at", ">", code.now)
    .where(tries, ">", 0)
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

/** Stores the hash of a recovery token; it replaces earlier links of the account. */
export async function replacePasswordReset(
  trx: Trx,
  reset: { tokenHash: string; userId: string; expiresAt: string },
): Promise<void> {
  await deletePasswordResets(trx, reset.userId);
  await trx
    .insertInto("password_resets")
    .values({ token_hash: reset.tokenHash, user_id: reset.userId, expires_at: reset.expiresAt })
    .execute();
}

/** The user id of a valid recovery token. */
export async function findPasswordReset(db: Db, tokenHash: string, now: string): Promise<string | null> {
  const row = await db
    .selectFrom("password_resets")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Uses up a recovery token and returns its user's id; null when it is unknown, used or expired. */
export async function consumePasswordReset(trx: Trx, tokenHash: string, now: string): Promise<string | null> {
  const row = await trx
    .deleteFrom("password_resets")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** The phone number or e-mail that the user's pending code will confirm. */
export async function findNewContact(
  trx: Trx,
  userId: string,
  purpose: "phone" | "email",
): Promise<string | null> {
  const row = await trx
    .selectFrom("one_time_codes")
    .select("new_contact")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .executeTakeFirst();
  return row?.new_contact ?? null;
}

/** Deletes all mailed codes and recovery links of the account. */
export async function deleteCodesAndLinks(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("one_time_codes").where("user_id", "=", userId).execute();
  await deletePasswordResets(trx, userId);
}

export async function deleteExpiredCodes(db: Db, now: string): Promise<void> {
  await db.deleteFrom("one_time_codes").where("expires_at", "<=", now).execute();
  await db.deleteFrom("password_resets").where("expires_at", "<=", now).execute();
}

async function deletePasswordResets(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
}
