import { randomInt } from "node:crypto";
import type { CodePurpose } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { type Keyring, sameHash } from "../keyring.ts";
import { CODE_MINUTES } from "./accounts.lifetimes.ts";
import { deleteCode, replaceCode, spendTry } from "./accounts.secret-queries.ts";

const LIFETIME_MS = CODE_MINUTES * 60 * 1000;
const TRIES = 5;

type CodeDeps = Pick<Deps, "keyring" | "now">;

/**
 * Makes a six-digit code, good for ten minutes and five tries; it voids the one before. Only its keyed hash is stored,
 * with the new phone number that it is to bring into force, if any.
 */
export async function issueCode(
  trx: Trx,
  deps: CodeDeps,
  target: { userId: string; purpose: CodePurpose },
  newPhone: string | null = null,
): Promise<string> {
  const code = randomInt(1_000_000).toString().padStart(6, "0");
  await replaceCode(trx, {
    ...target,
    codeHash: hashCode(deps.keyring, target, code),
    tries: TRIES,
    expiresAt: new Date(deps.now().getTime() + LIFETIME_MS).toISOString(),
    newPhone,
  });
  return code;
}

/**
 * Uses a code up; false when it is wrong, expired, used, or out of tries. Every call costs a try, so the caller's
 * transaction must commit on false as well.
 */
export async function redeemCode(
  trx: Trx,
  deps: CodeDeps,
  target: { userId: string; purpose: CodePurpose },
  code: string,
): Promise<boolean> {
  const expected = await spendTry(trx, { ...target, now: deps.now().toISOString() });
  if (!expected || !sameHash(expected, hashCode(deps.keyring, target, code))) return false;
  await deleteCode(trx, target.userId, target.purpose);
  return true;
}

function hashCode(keyring: Keyring, target: { userId: string; purpose: CodePurpose }, code: string): string {
  return keyring.mac("otp", `${target.userId}:${target.purpose}:${code}`);
}
