import { type Trx, transact } from "#db/transaction.ts";
import { MAIL_CHOICES, type MailChoice, type MailChoices } from "#shared/mail-choices.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { MailChoiceInput, NewEmailInput } from "#shared/schemas/profile.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError, fieldError } from "../errors.ts";
import { logSecurity } from "../lib/log.ts";
import { moveMails, queueMail } from "../mail/mail.service.ts";
import { emailChangedMail, emailCodeMail, emailLeftMail, phoneCodeMail } from "./accounts.mails.ts";
import {
  type Account,
  anonymiseCustomer,
  deleteAllMailOptOuts,
  deleteMailOptOut,
  deleteUnverified,
  findAccount,
  findAdmins,
  findMailOptOuts,
  findUser,
  insertMailOptOut,
  lockAccount,
  NO_PASSWORD,
  type ProfileChange,
  updateProfile,
} from "./accounts.queries.ts";
import { deleteCodesAndLinks, findNewContact } from "./codes.queries.ts";
import { areCodesBlocked, issueCode, redeemCode } from "./codes.ts";
import { countCodeRequest, countCodeTry, isMailAllowed } from "./login-attempts.ts";
import { verifyCurrentPassword } from "./password.service.ts";
import { deleteSecondFactors, findSecondFactors } from "./second-factor.queries.ts";
import { deleteOtherSessions, deleteSessionsOf } from "./sessions.queries.ts";
import { currentSessionId, listDevices } from "./sessions.ts";

/** Changes the user's name, also in the orders that staff search by name. */
export async function changeName(
  ctx: Context<SignedIn>,
  { fullName }: { fullName: string },
): Promise<CurrentUser> {
  return transact(ctx.db, async (trx) => {
    const { user } = (await withLockedAccount(trx, ctx)).actor;
    if (user.fullName === fullName) return user;
    await ctx.limits.take(trx, ["renameAccount", user._id]);
    return storeProfile(trx, ctx, { full_name: fullName });
  });
}

async function storeProfile(trx: Trx, ctx: Context<SignedIn>, change: ProfileChange): Promise<CurrentUser> {
  const user = await updateProfile(trx, ctx.actor.user._id, change);
  if (!user) throw accountGone();
  await ctx.onProfileChange(trx, user);
  return user;
}

/**
 * Locks the account until the transaction ends, so that it cannot be deleted meanwhile. Throws UNAUTHENTICATED when it
 * is already deleted.
 */
export async function requireAccount(trx: Trx, userId: string): Promise<Account> {
  const account = await lockAccount(trx, { id: userId });
  if (!account) throw accountGone();
  return account;
}

/**
 * The same call with the account as it is now, locked as `requireAccount` does: its e-mail, name or phone may have been changed
 * since the call came in.
 */
export async function withLockedAccount(trx: Trx, ctx: Context<SignedIn>): Promise<Context<SignedIn>> {
  const { passwordHash: _, verified: __, ...user } = await requireAccount(trx, ctx.actor.user._id);
  return { ...ctx, actor: { ...ctx.actor, user } };
}

function accountGone(): AppError {
  return new AppError("UNAUTHENTICATED", "This account was deleted");
}

/**
 * Mails a code to confirm a new phone number. Throws INVALID_INPUT when the user already has this number, and CONFLICT
 * when another account has it.
 */
export async function requestPhoneCode(ctx: Context<SignedIn>, { phone }: { phone: string }) {
  const { user } = ctx.actor;
  await countCodeRequest(ctx, { email: user.email }, user._id);
  if (phone === user.phone) throw fieldError("phone", "This is already your mobile number");
  await transact(ctx.db, (trx) => sendPhoneCode(trx, ctx, phone));
  return { phone };
}

async function sendPhoneCode(trx: Trx, ctx: Context<SignedIn>, phone: string): Promise<void> {
  const { _id: userId, email, fullName } = ctx.actor.user;
  await requireAccount(trx, userId);
  const holder = await findAccount(trx, { phone });
  if (holder?.verified) throw phoneTaken();
  if (!(await isMailAllowed(trx, ctx, "codeMail", { email, device: currentSessionId(ctx) }))) {
    throw tooMany("codes were sent to your email. Please try again in half an hour");
  }
  const code = await issueCode(trx, ctx, { userId, purpose: "phone" }, phone);
  await queueMail(trx, ctx, phoneCodeMail({ to: email, fullName, code, phone }));
}

/**
 * Sets the phone number that the last code was mailed for. People can log in with it, so every other session ends and
 * mailed codes and links become void.
 */
export function confirmPhone(ctx: Context<SignedIn>, input: { verifyCode: string }): Promise<CurrentUser> {
  return confirmContact(ctx, input, "phone");
}

/** Throws INVALID_INPUT for a code that is wrong, expired or used. */
async function confirmContact(
  ctx: Context<SignedIn>,
  { verifyCode }: { verifyCode: string },
  contact: "phone" | "email",
): Promise<CurrentUser> {
  const subject = { email: ctx.actor.user.email };
  const attempt = await countCodeTry(ctx, subject, { account: null, device: currentSessionId(ctx) });
  const redeem = contact === "phone" ? redeemPhone : redeemEmail;
  const user = await transact(ctx.db, (trx) => redeem(trx, ctx, verifyCode));
  if (!user) throw fieldError("verifyCode", "Invalid or expired OTP");
  await attempt.succeeded();
  logSecurity(ctx, `auth.${contact}.changed`, subject);
  return user;
}

async function redeemPhone(trx: Trx, ctx: Context<SignedIn>, code: string): Promise<CurrentUser | null> {
  const userId = ctx.actor.user._id;
  const account = await requireAccount(trx, userId);
  const phone = await findNewContact(trx, userId, "phone");
  if (
    !phone ||
    !(await redeemCode(trx, ctx, { account, purpose: "phone", device: currentSessionId(ctx) }, code))
  )
    return null;
  const holder = await findAccount(trx, { phone });
  if (holder?.verified) throw phoneTaken();
  if (holder) await deleteUnverified(trx, [holder._id]);
  await deleteCodesAndLinks(trx, userId);
  await deleteOtherSessions(trx, userId, currentSessionId(ctx));
  return storeProfile(trx, ctx, { phone });
}

function phoneTaken(): AppError {
  return fieldError("phone", "An account with this mobile number already exists", "CONFLICT");
}

/**
 * Mails a code to a new e-mail to confirm it. Throws INVALID_INPUT when the password is wrong or the user already has
 * this e-mail, and CONFLICT when another account has it.
 */
export async function requestEmailCode(ctx: Context<SignedIn>, { email, password }: NewEmailInput) {
  const { user } = ctx.actor;
  await countCodeRequest(ctx, { email: user.email }, user._id);
  if (email === user.email) throw fieldError("email", "This is already your email");
  await verifyCurrentPassword(ctx, password, "password");
  await transact(ctx.db, (trx) => sendEmailCode(trx, ctx, email));
  return { email };
}

async function sendEmailCode(trx: Trx, ctx: Context<SignedIn>, email: string): Promise<void> {
  const { _id: userId, fullName } = ctx.actor.user;
  await requireAccount(trx, userId);
  await requireFreeEmail(trx, email);
  // The new address has not asked for anything yet: what strangers can have mailed to it is limited.
  if (await areCodesBlocked(trx, ctx, newOwner(email))) {
    throw tooMany("wrong codes were entered for this email. Please try again tomorrow");
  }
  if (!(await isMailAllowed(trx, ctx, "codeMail", { email, device: null }))) {
    throw tooMany("codes were sent to this email. Please try again in half an hour");
  }
  const code = await issueCode(trx, ctx, { userId, purpose: "email" }, email);
  await queueMail(trx, ctx, emailCodeMail({ to: email, fullName, code }));
}

function tooMany(what: string): AppError {
  return new AppError("RATE_LIMITED", `Too many ${what}`);
}

/** Wrong codes count for the address that they would prove, as those of sign-ups do: accounts and sessions are for anybody. */
function newOwner(email: string) {
  return { email, passwordHash: NO_PASSWORD, verified: false };
}

/**
 * Sets the e-mail that the last code was mailed to, tells both addresses, ends every other session and voids mailed
 * codes and links. Mails about open orders go to the new address.
 */
export function confirmEmail(ctx: Context<SignedIn>, input: { verifyCode: string }): Promise<CurrentUser> {
  return confirmContact(ctx, input, "email");
}

async function redeemEmail(trx: Trx, ctx: Context<SignedIn>, code: string): Promise<CurrentUser | null> {
  const userId = ctx.actor.user._id;
  const account = await requireAccount(trx, userId);
  const email = await findNewContact(trx, userId, "email");
  if (!email) return null;
  const target = { account: { ...account, ...newOwner(email) }, purpose: "email", device: null } as const;
  if (!(await redeemCode(trx, ctx, target, code))) return null;
  const unverified = await requireFreeEmail(trx, email);
  if (unverified) await deleteUnverified(trx, [unverified._id]);
  await deleteCodesAndLinks(trx, userId);
  await deleteOtherSessions(trx, userId, currentSessionId(ctx));
  const user = await storeProfile(trx, ctx, { email });
  const addresses = { from: account.email, to: email };
  await moveMails(trx, addresses);
  await ctx.onEmailChange(trx, { userId, ...addresses });
  const contactUrl = `${ctx.publicUrl()}/contact-us`;
  await queueMail(trx, ctx, emailChangedMail({ to: email, fullName: account.fullName, contactUrl }));
  await queueMail(trx, ctx, emailLeftMail({ to: account.email, contactUrl }));
  return user;
}

/** The unverified sign-up with this e-mail, if there is one. Throws CONFLICT when a verified account has it. */
async function requireFreeEmail(trx: Trx, email: string): Promise<Account | null> {
  const holder = await findAccount(trx, { email });
  if (holder?.verified) throw fieldError("email", "An account with this email already exists", "CONFLICT");
  return holder;
}

/** Which mails about their orders the user wants; by default all of them. */
export async function getMailChoices({ readDb, actor }: Context<SignedIn>): Promise<MailChoices> {
  const refused = await findMailOptOuts(readDb, actor.user._id);
  return Object.fromEntries(MAIL_CHOICES.map((kind) => [kind, !refused.includes(kind)])) as MailChoices;
}

/** Stores one choice and returns all of them. */
export async function setMailChoice(
  ctx: Context<SignedIn>,
  { kind, wanted }: MailChoiceInput,
): Promise<MailChoices> {
  const change = wanted ? deleteMailOptOut : insertMailOptOut;
  await change(ctx.db, ctx.actor.user._id, kind);
  return getMailChoices(ctx);
}

export async function wantsMail(trx: Trx, userId: string, kind: MailChoice): Promise<boolean> {
  return !(await findMailOptOuts(trx, userId)).includes(kind);
}

/** What staff see instead of the student's name on the orders of a deleted account. */
const DELETED_NAME = "Deleted account";

/** The account's data, without its secrets. */
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

/** Without the keys, which would open the account. */
async function exportSecondFactors(ctx: Context<SignedIn>) {
  const { totp, passkeys, recoveryCodesLeft } = await findSecondFactors(ctx.readDb, ctx.actor.user._id);
  return {
    authenticatorAppSince: totp?.createdAt ?? null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
    recoveryCodesLeft,
  };
}

/**
 * Deletes a customer's account. Only its id stays, for the rows that refer to it; e-mail and phone can be used for a
 * new account. Throws FORBIDDEN for staff.
 */
export async function closeAccount(trx: Trx, { userId, at }: { userId: string; at: string }): Promise<void> {
  // A real address has no colon, so nobody can sign up, log in or get mail with this one.
  const closed = await anonymiseCustomer(trx, userId, {
    email: `deleted:${userId}`,
    fullName: DELETED_NAME,
    at,
  });
  if (!closed) throw leaveStaffFirst();
  await deleteSessionsOf(trx, userId);
  await deleteSecondFactors(trx, userId);
  await deleteCodesAndLinks(trx, userId);
  await deleteAllMailOptOuts(trx, userId);
}

/** Throws FORBIDDEN for staff, who must hand over their work first. */
export async function requireNotStaff({ actor: { user }, readDb }: Context<SignedIn>): Promise<void> {
  if (user.role === "customer") return;
  if (user.role === "admin" && (await findAdmins(readDb)).length === 1) {
    throw new AppError(
      "FORBIDDEN",
      "You are the only admin of the store. Make someone else an admin before you delete your account",
    );
  }
  throw leaveStaffFirst();
}

function leaveStaffFirst(): AppError {
  return new AppError(
    "FORBIDDEN",
    "You are on the staff. Please ask an admin to remove you before you delete your account",
  );
}
