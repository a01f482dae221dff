import type { Db } from "#db/open.ts";
import type { CodePurpose } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Stores a code's hash; the code that was there before no longer counts. */
export async function replaceCode(
  trx: Trx,
  code: {
    userId: string;
    purpose: CodePurpose;
    codeHash: string;
    tries: number;
    expiresAt: string;
    newPhone: string | null;
  },
): Promise<void> {
  const fresh = {
    code_hash: code.codeHash,
    tries_left: code.tries,
    device_tries_left: code.tries,
    expires_at: code.expiresAt,
    new_phone: code.newPhone,
  };
  await trx
    .insertInto("one_time_codes")
    .values({ user_id: code.userId, purpose: code.purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(["user_id", "purpose"]).doUpdateSet(fresh))
    .execute();
}

/** Spends one try of a living code, of strangers or of known devices, and returns its hash; null when none is left. */
export async function spendTry(
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

/** Stores a recovery token's hash; earlier links of the account no longer work. */
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

/** The id of the account that a living recovery token is for. */
export async function findPasswordReset(db: Db, tokenHash: string, now: string): Promise<string | null> {
  const row = await db
    .selectFrom("password_resets")
    .select("user_id")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.user_id ?? null;
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

/** The number that the user's pending code is to bring into force. */
export async function findNewPhone(trx: Trx, userId: string): Promise<string | null> {
  const row = await trx
    .selectFrom("one_time_codes")
    .select("new_phone")
    .where("user_id", "=", userId)
    .where("purpose", "=", "phone")
    .executeTakeFirst();
  return row?.new_phone ?? null;
}

/** Voids every mailed code and recovery link of the account. */
export async function deleteMailedSecrets(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("one_time_codes").where("user_id", "=", userId).execute();
  await deletePasswordResets(trx, userId);
}

async function deletePasswordResets(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("password_resets").where("user_id", "=", userId).execute();
}
