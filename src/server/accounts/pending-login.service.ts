import { randomBytes } from "node:crypto";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { PENDING_LOGIN_MINUTES } from "#shared/schemas/second-factors.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { type Account, findAccount } from "./accounts.queries.ts";
import {
  findPendingLogin,
  findSecondFactors,
  insertPendingLogin,
  isSecondFactorRequired,
  type SecondFactors,
} from "./second-factor.queries.ts";

const LIFETIME_MS = PENDING_LOGIN_MINUTES * 60 * 1000;

export function hasSecondFactor({ totp, passkeys }: SecondFactors): boolean {
  return totp !== null || passkeys.length > 0;
}

/**
 * Lets nobody of the staff in by one factor who has a second one, or must have one. Instead of a session the browser gets
 * a pending login, by which it can give the second factor, or set one up, and nothing else.
 */
export async function requireSecondFactor(ctx: Context, account: CurrentUser): Promise<void> {
  if (account.role === "customer") return;
  const isThere = hasSecondFactor(await findSecondFactors(ctx.db, account._id));
  if (!isThere && !(await isSecondFactorRequired(ctx.readDb, account.role, ctx.config.publicUrl))) return;
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(ctx.now().getTime() + LIFETIME_MS);
  await insertPendingLogin(ctx.db, {
    id: sha256(token),
    userId: account._id,
    expiresAt: expiresAt.toISOString(),
  });
  ctx.pendingLogin.set(token, expiresAt);
  throw isThere
    ? new AppError("SECOND_FACTOR_REQUIRED", "Your account has a second factor. Please go on at /admin/login")
    : new AppError(
        "SECOND_FACTOR_SETUP_REQUIRED",
        "Your work needs a second factor. Please set one up at /admin/login",
      );
}

/** Who has given the first factor in this browser, and waits to give or set up the second. */
export async function findPendingAccount(ctx: Context): Promise<Account | null> {
  const { token } = ctx.pendingLogin;
  const userId = token && (await findPendingLogin(ctx.db, sha256(token), ctx.now().toISOString()));
  const account = userId ? await findAccount(ctx.db, { id: userId }) : null;
  return account?.role === "customer" ? null : account;
}

/** What the login of this browser waits for; null when none does. */
export async function getPendingLogin(ctx: Context) {
  const account = await findPendingAccount(ctx);
  if (!account) return null;
  const factors = await findSecondFactors(ctx.db, account._id);
  return {
    email: account.email,
    step: hasSecondFactor(factors) ? ("verify" as const) : ("setup" as const),
    hasTotp: factors.totp !== null,
    hasPasskey: factors.passkeys.length > 0,
  };
}
