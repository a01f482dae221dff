import { type Trx, transact } from "#db/transaction.ts";
import type { ConfirmInput, CurrentUser } from "#shared/schemas/accounts.ts";
import type { ChangePasswordInput } from "#shared/schemas/profile.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError, fieldError, loginRequired } from "../errors.ts";
import { networkOf } from "../http/rate-limit.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { passwordChangedMail } from "./accounts.mails.ts";
import { findAccount, NO_PASSWORD, replacePassword } from "./accounts.queries.ts";
import { deleteCodesAndLinks } from "./codes.queries.ts";
import { openSession } from "./login.service.ts";
import { countPasswordTry } from "./login-attempts.ts";
import { redeemPasskey, wrongPasskey } from "./passkeys.service.ts";
import { checkPassword, hashPasswordFor } from "./passwords.ts";
import { redeemSecondFactor, wrongCode } from "./second-factor.service.ts";
import { deleteSessionsOf } from "./sessions.queries.ts";
import { currentSessionId } from "./sessions.ts";

/**
 * Checks the user's current password and returns its hash. Throws INVALID_INPUT about the field `path` when it is
 * wrong.
 */
export async function verifyCurrentPassword(
  ctx: Context<SignedIn>,
  password: string,
  path: string,
): Promise<{ passwordHash: string }> {
  const { _id: userId, email } = ctx.actor.user;
  const attempt = await countPasswordTry(ctx, email, currentSessionId(ctx));
  const account = await findAccount(ctx.readDb, { id: userId });
  if (account?.passwordHash === NO_PASSWORD) {
    const message =
      "You have no password yet. Log out, then choose one with 'Forgot Password' on the login page";
    throw fieldError(path, message);
  }
  if (!(await checkPassword(account?.passwordHash, password, networkOf(ctx.address))) || !account) {
    logSecurity(ctx, "auth.password.failed", { email });
    throw fieldError(path, "This is not your current password");
  }
  await attempt.succeeded();
  return { passwordHash: account.passwordHash };
}

/** Changes the user's password, tells them by mail and ends all their sessions; this browser gets a new one. */
export async function changePassword(
  ctx: Context<SignedIn>,
  input: ChangePasswordInput,
): Promise<CurrentUser> {
  const { passwordHash: from } = await verifyCurrentPassword(ctx, input.currentPassword, "currentPassword");
  const to = await hashPasswordFor(ctx.actor.user, input.password);
  const session = await ctx.sessions.resolve(ctx.cookie.token ?? "", false);
  await transact(ctx.db, (trx) => storePassword(trx, ctx, { from, to }));
  logSecurity(ctx, "auth.password.changed", ctx.actor.user);
  const how = { isConfirmed: true, isComplete: true, isShared: session?.isShared };
  return openSession(ctx, { ...ctx.actor.user, passwordHash: to }, how);
}

async function storePassword(
  trx: Trx,
  ctx: Context<SignedIn>,
  change: { from: string; to: string },
): Promise<void> {
  const { _id: userId, email, fullName } = ctx.actor.user;
  if (!(await replacePassword(trx, userId, change))) {
    throw new AppError("CONFLICT", "Your password was changed on another device. Please log in again");
  }
  await deleteCodesAndLinks(trx, userId);
  await deleteSessionsOf(trx, userId);
  const url = `${ctx.publicUrl()}/forgotpassword`;
  await queueMail(trx, ctx, passwordChangedMail({ to: email, fullName, url }));
}

/** Has a logged-in person prove their identity again; their browser gets a new token. */
export async function reauthenticate(ctx: Context<SignedIn>, input: ConfirmInput): Promise<null> {
  const { user } = ctx.actor;
  if ("password" in input) await verifyCurrentPassword(ctx, input.password, "password");
  else if ("code" in input) {
    if (!(await redeemSecondFactor(ctx, user, input.code))) throw wrongCode();
  } else if ((await redeemPasskey(ctx, input.passkey))?._id !== user._id) throw wrongPasskey();
  const session = await ctx.sessions.confirm(ctx.cookie.token ?? "", user.role);
  if (!session) throw loginRequired();
  ctx.cookie.set(session.token, session.expiresAt);
  return null;
}
