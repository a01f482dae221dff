import { randomInt } from "node:crypto";
import type { CodePurpose } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Context, Deps } from "../context.ts";
import type { LimitUse } from "../http/rate-limit.ts";
import { type Keyring, sameHash } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import type { Account } from "./accounts.queries.ts";
import { type Device, generationOf } from "./login-attempts.ts";
import { deleteCode, replaceCode, spendTry } from "./secrets.queries.ts";
import { CODE_MINUTES } from "./sessions.ts";

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

/** An account and what its code is for. */
interface CodeTarget {
  account: Account;
  purpose: CodePurpose;
  /** A device that the account knows has five tries of its own at each code, and no part in the count of the day. */
  device: Device;
}

/**
 * Uses a code up; false when it is wrong, expired, used, or out of tries, of its own or of the account's day. Every call
 * costs a try, so the caller's transaction must commit on false as well.
 */
export async function redeemCode(
  trx: Trx,
  ctx: Context,
  { account, purpose, device }: CodeTarget,
  code: string,
): Promise<boolean> {
  const target = { userId: account._id, purpose };
  const expected = await spendTry(trx, {
    ...target,
    isKnownDevice: device !== null,
    now: ctx.now().toISOString(),
  });
  if (!expected) return failed(ctx, account, "none is valid");
  if (!device && !(await ctx.limits.tryUse(trx, wrongTry(account)))) return failed(ctx, account, "closed");
  if (!sameHash(expected, hashCode(ctx.keyring, target, code))) return failed(ctx, account, "wrong");
  if (!device) await ctx.limits.giveBack([wrongTry(account)], trx);
  await deleteCode(trx, account._id, purpose);
  return true;
}

/** Whether strangers have used up the account's wrong tries of the day, so that codes open it on known devices only. */
export async function areCodesClosed(
  trx: Trx,
  { limits }: Pick<Context, "limits">,
  account: Pick<Account, "email" | "passwordHash" | "verified">,
): Promise<boolean> {
  return !(await limits.hasLeft(trx, wrongTry(account)));
}

/** Counted under the e-mail, which stays the same when somebody signs up with it again. */
function wrongTry(account: Pick<Account, "email" | "passwordHash" | "verified">): LimitUse {
  return ["codeTryAccount", account.email, generationOf(account)];
}

function failed(ctx: Context, { email }: { email: string }, reason: string): false {
  logSecurity(ctx, "auth.code.failed", { email }, { reason });
  return false;
}

function hashCode(keyring: Keyring, target: { userId: string; purpose: CodePurpose }, code: string): string {
  return keyring.mac("otp", `${target.userId}:${target.purpose}:${code}`);
}
