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

/** When a login that begins now, a step of it, or the setting-up of a second factor has to be finished. */
export function pendingUntil({ now }: Pick<Context, "now">): Date {
  return new Date(now().getTime() + PENDING_LOGIN_MINUTES * 60 * 1000);
}

export function hasSecondFactor({ totp, passkeys }: SecondFactors): boolean {
  return totp !== null || passkeys.length > 0;
}

/**
 * Stops a staff login that has proved one factor only, if the account has a second one or must have one. The browser
 * then gets a pending login instead of a session; it only allows giving or setting up the second factor.
 */
export async function requireSecondFactor(ctx: Context, account: CurrentUser): Promise<void> {
  if (account.role === "customer") return;
  const isThere = hasSecondFactor(await findSecondFactors(ctx.db, account._id));
  if (!isThere && !(await isSecondFactorRequired(ctx.readDb, account.role, ctx.config.publicUrl))) return;
  const token = randomBytes(32).toString("base64url");
  const expiresAt = pendingUntil(ctx);
  await insertPendingLogin(ctx.db, {
    id: sha256(token),
    userId: account._id,
    expiresAt: expiresAt.toISOString(),
  });
  ctx.pendingLogin.set(token, expiresAt);
  throw isThere
    ? new AppError(
        "SECOND_FACTOR_REQUIRED",
        "Your account has a second factor. Please continue at /admin/login",
      )
    : new AppError(
        "SECOND_FACTOR_SETUP_REQUIRED",
        "Your role requires a second factor. Please set one up at /admin/login",
      );
}

/** The account that has given its first factor in this browser and must still give or set up the second. */
export async function findPendingAccount(ctx: Context): Promise<Account | null> {
  const { token } = ctx.pendingLogin;
  const userId = token && (await findPendingLogin(ctx.db, sha256(token), ctx.now().toISOString()));
  const account = userId ? await findAccount(ctx.db, { id: userId }) : null;
  return account?.role === "customer" ? null : account;
}

/** What this browser's pending login needs next; null when there is none. */
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
