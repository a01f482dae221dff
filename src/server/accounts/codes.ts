import { randomInt } from "node:crypto";
import type { CodePurpose } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { CODE_MINUTES } from "#shared/schemas/accounts.ts";
import type { Context, Deps } from "../context.ts";
import type { LimitUse } from "../http/rate-limit.ts";
import { type Keyring, sameHash } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import type { Account } from "./accounts.queries.ts";
import { consumeCodeTry, deleteCode, replaceCode } from "./codes.queries.ts";
import { type Device, passwordGeneration } from "./login-attempts.ts";

const LIFETIME_MS = CODE_MINUTES * MINUTE_MS;
const TRIES = 5;

type CodeDeps = Pick<Deps, "keyring" | "now">;

/**
 * Creates a six-digit code, valid for ten minutes and five tries; it replaces an earlier one. Stores only its keyed
 * hash, and the new phone number or e-mail that the code is to confirm.
 */
export async function issueCode(
  trx: Trx,
  deps: CodeDeps,
  target: { userId: string; purpose: CodePurpose },
  newContact: string | null = null,
): Promise<string> {
  const code = randomInt(1_000_000).toString().padStart(6, "0");
  await replaceCode(trx, {
    ...target,
    codeHash: hashCode(deps.keyring, target, code),
    tries: TRIES,
    expiresAt: new Date(deps.now().getTime() + LIFETIME_MS).toISOString(),
    newContact,
  });
  return code;
}

/** An account and the purpose of its code. */
interface CodeTarget {
  account: Account;
  purpose: CodePurpose;
  /** A known device has five tries of its own for each code and does not use up the account's daily tries. */
  device: Device;
}

/**
 * Redeems a code. Returns false when it is wrong, expired or used, or when no tries are left. Every call costs a try,
 * so the caller's transaction must also commit when the result is false.
 */
export async function redeemCode(
  trx: Trx,
  ctx: Context,
  { account, purpose, device }: CodeTarget,
  code: string,
): Promise<boolean> {
  const target = { userId: account._id, purpose };
  const expected = await consumeCodeTry(trx, {
    ...target,
    isKnownDevice: device !== null,
    now: ctx.now().toISOString(),
  });
  if (!expected) return logFailure(ctx, account, "none is valid");
  if (!device && !(await ctx.limits.tryUse(trx, failedTries(account))))
    return logFailure(ctx, account, "closed");
  if (!sameHash(expected, hashCode(ctx.keyring, target, code))) return logFailure(ctx, account, "wrong");
  if (!device) await ctx.limits.giveBack([failedTries(account)], trx);
  await deleteCode(trx, account._id, purpose);
  return true;
}

/** Whether strangers have used up the account's daily tries, so that codes work on known devices only. */
export async function areCodesBlocked(
  trx: Trx,
  { limits }: Pick<Context, "limits">,
  account: Pick<Account, "email" | "passwordHash" | "verified">,
): Promise<boolean> {
  return !(await limits.hasLeft(trx, failedTries(account)));
}

/** Counted by e-mail, which stays the same when somebody signs up with it again. */
function failedTries(account: Pick<Account, "email" | "passwordHash" | "verified">): LimitUse {
  return ["codeTryAccount", account.email, passwordGeneration(account)];
}

function logFailure(ctx: Context, { email }: { email: string }, reason: string): false {
  logSecurity(ctx, "auth.code.failed", { email }, { reason });
  return false;
}

function hashCode(keyring: Keyring, target: { userId: string; purpose: CodePurpose }, code: string): string {
  return keyring.mac("otp", `${target.userId}:${target.purpose}:${code}`);
}
