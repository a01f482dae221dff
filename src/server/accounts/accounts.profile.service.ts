import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { queueMail } from "../mail/mail.service.ts";
import { logSecurity } from "../security-log.ts";
import { countCodeRequest, countCodeTry } from "./accounts.attempts.ts";
import { issueCode, redeemCode } from "./accounts.codes.ts";
import { phoneCodeMail } from "./accounts.mails.ts";
import { updateProfile } from "./accounts.profile-queries.ts";
import { type Account, deleteUnverified, findAccount, holdAccount } from "./accounts.queries.ts";
import { deleteMailedSecrets, findNewPhone } from "./accounts.secret-queries.ts";
import { deleteOtherSessions } from "./accounts.session-queries.ts";
import { currentSessionId } from "./accounts.sessions.ts";

/** Changes the user's name, also where staff look for their orders by it. */
export async function rename(
  ctx: Context<SignedIn>,
  { fullName }: { fullName: string },
): Promise<CurrentUser> {
  return transact(ctx.db, (trx) => storeProfile(trx, ctx, { full_name: fullName }));
}

async function storeProfile(
  trx: Trx,
  ctx: Context<SignedIn>,
  change: { full_name: string } | { phone: string },
): Promise<CurrentUser> {
  const user = await updateProfile(trx, ctx.actor.user._id, change);
  if (!user) throw accountGone();
  await ctx.onProfileChange(trx, user);
  return user;
}

/**
 * Keeps the account as it is until the transaction ends, for what must not happen beside its deletion. Throws
 * UNAUTHENTICATED when it is deleted.
 */
export async function requireAccount(trx: Trx, userId: string): Promise<Account> {
  const account = await holdAccount(trx, { id: userId });
  if (!account) throw accountGone();
  return account;
}

function accountGone(): AppError {
  return new AppError("UNAUTHENTICATED", "This account was deleted");
}

/**
 * Mails a code by which the user confirms a new phone number. Throws INVALID_INPUT for the one that they have, and
 * CONFLICT for another account's.
 */
export async function requestPhoneCode(ctx: Context<SignedIn>, { phone }: { phone: string }) {
  const { user } = ctx.actor;
  await countCodeRequest(ctx, { email: user.email }, currentSessionId(ctx));
  if (phone === user.phone) throw refused("INVALID_INPUT", "phone", "This is your mobile number already");
  await transact(ctx.db, (trx) => sendPhoneCode(trx, ctx, phone));
  ctx.wakeMail();
  return { phone };
}

async function sendPhoneCode(trx: Trx, ctx: Context<SignedIn>, phone: string): Promise<void> {
  const { _id: userId, email, fullName } = ctx.actor.user;
  await requireAccount(trx, userId);
  const holder = await findAccount(trx, { phone });
  if (holder?.verified) throw phoneTaken();
  const code = await issueCode(trx, ctx, { userId, purpose: "phone" }, phone);
  await queueMail(trx, ctx, phoneCodeMail({ to: email, fullName, code, phone }));
}

/**
 * Brings the number into force that the last code was mailed for. It is a way to log in, so that every other session ends
 * and what was mailed before is void.
 */
export async function confirmPhone(
  ctx: Context<SignedIn>,
  { verifyCode }: { verifyCode: string },
): Promise<CurrentUser> {
  const subject = { email: ctx.actor.user.email };
  const attempt = await countCodeTry(ctx, subject, { account: null, device: currentSessionId(ctx) });
  const user = await transact(ctx.db, (trx) => redeemPhone(trx, ctx, verifyCode));
  if (!user) throw refused("INVALID_INPUT", "verifyCode", "Invalid or expired OTP");
  await attempt.succeeded();
  logSecurity(ctx, "auth.phone.changed", user);
  return user;
}

async function redeemPhone(trx: Trx, ctx: Context<SignedIn>, code: string): Promise<CurrentUser | null> {
  const userId = ctx.actor.user._id;
  const account = await requireAccount(trx, userId);
  const phone = await findNewPhone(trx, userId);
  if (
    !phone ||
    !(await redeemCode(trx, ctx, { account, purpose: "phone", device: currentSessionId(ctx) }, code))
  )
    return null;
  const holder = await findAccount(trx, { phone });
  if (holder?.verified) throw phoneTaken();
  if (holder) await deleteUnverified(trx, [holder._id]);
  await deleteMailedSecrets(trx, userId);
  await deleteOtherSessions(trx, userId, currentSessionId(ctx));
  return storeProfile(trx, ctx, { phone });
}

function phoneTaken(): AppError {
  return refused("CONFLICT", "phone", "An account with this mobile number already exists");
}

function refused(code: "INVALID_INPUT" | "CONFLICT", path: string, message: string): AppError {
  return new AppError(code, message, { issues: [{ path, message }] });
}
