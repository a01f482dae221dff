import { type Trx, transact } from "#db/transaction.ts";
import { MAIL_CHOICES, type MailChoice, type MailChoices } from "#shared/mail-choices.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { MailChoiceInput } from "#shared/schemas/mail-choices.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { phoneCodeMail } from "./accounts.mails.ts";
import {
  type Account,
  blankCustomer,
  deleteMailRefusals,
  deleteRefusal,
  deleteUnverified,
  findAccount,
  findRefusals,
  findUser,
  holdAccount,
  insertRefusal,
  updateProfile,
} from "./accounts.queries.ts";
import { listStaffAccounts } from "./admin.service.ts";
import { issueCode, redeemCode } from "./codes.ts";
import { countCodeRequest, countCodeTry } from "./login-attempts.ts";
import { deleteSecondFactors, findSecondFactors } from "./second-factor.queries.ts";
import { deleteMailedSecrets, findNewPhone } from "./secrets.queries.ts";
import { deleteOtherSessions, deleteSessionsOf } from "./sessions.queries.ts";
import { currentSessionId, listDevices } from "./sessions.ts";

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

/** Which mails about their orders the user wants: all of them until they choose. */
export async function getMailChoices({ readDb, actor }: Context<SignedIn>): Promise<MailChoices> {
  const refused = await findRefusals(readDb, actor.user._id);
  return Object.fromEntries(MAIL_CHOICES.map((kind) => [kind, !refused.includes(kind)])) as MailChoices;
}

/** Takes a choice, and gives all of them as they are then. */
export async function chooseMail(
  ctx: Context<SignedIn>,
  { kind, wanted }: MailChoiceInput,
): Promise<MailChoices> {
  const change = wanted ? deleteRefusal : insertRefusal;
  await change(ctx.db, ctx.actor.user._id, kind);
  return getMailChoices(ctx);
}

export async function wantsMail(trx: Trx, userId: string, kind: MailChoice): Promise<boolean> {
  return !(await findRefusals(trx, userId)).includes(kind);
}

/** What staff read where an order had a student's name. */
const NOBODY = "Deleted account";

/** What the user's account holds, without what opens it. */
export async function exportAccount(ctx: Context<SignedIn>) {
  const user = await findUser(ctx.readDb, ctx.actor.user._id);
  const devices = await listDevices(ctx);
  return {
    fullName: user.full_name,
    email: user.email,
    phone: user.phone,
    role: user.role,
    signedUpAt: user.created_at,
    verifiedAt: user.verified_at,
    termsAcceptedAt: user.terms_accepted_at,
    secondFactors: await exportSecondFactors(ctx),
    mailsWanted: await getMailChoices(ctx),
    devices: devices.map(({ name, signedInAt, lastSeenAt }) => ({ name, signedInAt, lastSeenAt })),
  };
}

/** Without the keys themselves, which open what belongs to others. */
async function exportSecondFactors(ctx: Context<SignedIn>) {
  const { totp, passkeys, recoveryCodesLeft } = await findSecondFactors(ctx.readDb, ctx.actor.user._id);
  return {
    authenticatorAppSince: totp?.createdAt ?? null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
    recoveryCodesLeft,
  };
}

/**
 * Closes a customer's account for ever: nothing personal is left of it, and its e-mail and phone are free for a new
 * one. Only its id stays, for what refers to it. Throws FORBIDDEN for staff.
 */
export async function closeAccount(trx: Trx, { userId, at }: { userId: string; at: string }): Promise<void> {
  // No address has a colon: nobody can sign up, log in or be mailed under this one.
  const closed = await blankCustomer(trx, userId, { email: `deleted:${userId}`, fullName: NOBODY, at });
  if (!closed) throw staffFirst();
  await deleteSessionsOf(trx, userId);
  await deleteSecondFactors(trx, userId);
  await deleteMailedSecrets(trx, userId);
  await deleteMailRefusals(trx, userId);
}

/** Throws FORBIDDEN for staff: the store's work goes on without them only once somebody else has it. */
export async function refuseStaff({ actor: { user }, readDb }: Context<SignedIn>): Promise<void> {
  if (user.role === "customer") return;
  const admins = (await listStaffAccounts(readDb)).filter(({ role }) => role === "admin");
  if (user.role === "admin" && admins.length === 1) {
    throw new AppError(
      "FORBIDDEN",
      "You are the only admin of the store. Make somebody else an admin before you delete your account",
    );
  }
  throw staffFirst();
}

function staffFirst(): AppError {
  return new AppError(
    "FORBIDDEN",
    "You work for the store. Please have an admin take you off the staff before you delete your account",
  );
}
