import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { SignupInput, VerifyAccountInput } from "#shared/schemas/accounts.ts";
import type { Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/rate-limit.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { codesBlockedMail, verificationMail } from "./accounts.mails.ts";
import {
  type Account,
  deleteUnverified,
  deleteUnverifiedBefore,
  findAccount,
  findAccountsByContact,
  insertAccount,
  lockAccount,
  markVerified,
  type NewAccount,
  verifyByEmailOnly,
} from "./accounts.queries.ts";
import { deleteCodesAndLinks } from "./codes.queries.ts";
import { areCodesBlocked, issueCode, redeemCode } from "./codes.ts";
import {
  countCodeRequest,
  countCodeTry,
  countSignup,
  isMailAllowed,
  mailPriority,
  withMinimumTime,
} from "./login-attempts.ts";
import { hashChosenPassword } from "./passwords.ts";
import { issuePasswordToken } from "./recovery.service.ts";

/**
 * Creates an unverified account and mails its code. Throws CONFLICT when a verified account has the e-mail or phone.
 */
export async function register(ctx: Context, input: SignupInput) {
  const id = await countSignup(ctx, input.email, () => signUp(ctx, input));
  rememberSignup(ctx, id);
  return { email: input.email, phone: input.phone, fullName: input.fullName };
}

/** Returns the id of the new account. */
async function signUp(ctx: Context, input: SignupInput): Promise<string> {
  const passwordHash = await hashChosenPassword(input.password, networkOf(ctx.address));
  const now = ctx.now().toISOString();
  const account: NewAccount = {
    id: randomUUID(),
    email: input.email,
    phone: input.phone,
    fullName: input.fullName,
    passwordHash,
    role: "customer",
    verifiedAt: null,
    termsAcceptedAt: input.termsAccepted ? now : null,
    createdAt: now,
  };
  await transact(ctx.db, (trx) => storeSignup(trx, ctx, account));
  return account.id;
}

async function storeSignup(trx: Trx, ctx: Context, account: NewAccount): Promise<void> {
  await storeAccount(trx, account);
  await sendVerification(trx, ctx, { ...account, _id: account.id, verified: false });
}

/**
 * Inserts an account. It replaces unverified sign-ups with the same e-mail or phone; throws CONFLICT when a verified
 * account has one of them.
 */
export async function storeAccount(trx: Trx, account: NewAccount): Promise<void> {
  const claimants = await findAccountsByContact(trx, account.email, account.phone);
  const verified = claimants.find((claimant) => claimant.verified);
  if (verified) throw alreadyTaken(verified, account);
  if (claimants.length > 0) {
    await deleteUnverified(
      trx,
      claimants.map((claimant) => claimant._id),
    );
  }
  await insertAccount(trx, account);
}

function alreadyTaken(claimant: Account, { email }: NewAccount): AppError {
  const field = claimant.email !== email ? "mobile number" : "email";
  return new AppError("CONFLICT", `An account with this ${field} already exists. Please log in`);
}

/** Mails a new verification code if the account exists, is unverified and the limit for strangers is not reached. */
export async function resendCode(
  trx: Trx,
  ctx: Context,
  by: { id: string } | { phone: string },
): Promise<void> {
  const account = await lockAccount(trx, by);
  const unverified = account?.verified ? null : account;
  const recipient = unverified && { email: unverified.email, device: null };
  const isAllowed = await isMailAllowed(trx, ctx, "codeMail", recipient);
  if (unverified && isAllowed) await sendVerification(trx, ctx, unverified);
}

async function sendVerification(
  trx: Trx,
  ctx: Context,
  account: Pick<Account, "_id" | "email" | "fullName" | "passwordHash" | "verified">,
): Promise<void> {
  if (await areCodesBlocked(trx, ctx, account)) {
    await sendCodesBlockedMail(trx, ctx, account);
    return;
  }
  const code = await issueCode(trx, ctx, { userId: account._id, purpose: "verify" });
  const mail = verificationMail({ to: account.email, fullName: account.fullName, code });
  await queueMail(trx, ctx, { ...mail, priority: await mailPriority(trx, ctx, account) });
}

/** Sent instead of a code that would be refused: says why, and how to log in. */
export async function sendCodesBlockedMail(
  trx: Trx,
  ctx: Context,
  account: Pick<Account, "email" | "fullName" | "verified">,
): Promise<void> {
  const { email, fullName } = account;
  logSecurity(ctx, "auth.code.closed", { email });
  const mail = codesBlockedMail({ to: email, fullName, url: `${ctx.publicUrl()}/forgotpassword` });
  await queueMail(trx, ctx, { ...mail, priority: await mailPriority(trx, ctx, account) });
}

/**
 * Verifies a sign-up by its code. Anybody can sign up with anybody's address, so the password, name and phone entered
 * there are kept only if the same browser enters the code. Otherwise the code proves the address only, and the answer
 * has a token for choosing a password.
 */
export async function verifyAccount(
  ctx: Context,
  input: VerifyAccountInput,
): Promise<{ phone: string; passwordToken?: string }> {
  const { phone } = input;
  const account = await findAccount(ctx.readDb, { phone });
  const device = account && isSameBrowser(ctx, account) ? account._id : null;
  // Its answer would have cleared the cookie, so it was lost on its way to this browser.
  if (account?.verified && device) {
    ctx.signupCookie.clear();
    return { phone };
  }
  const attempt = await countCodeTry(ctx, { phone }, { account: null, device });
  const verified = await withMinimumTime(ctx, () =>
    transact(ctx.db, (trx) => redeemVerification(trx, ctx, input)),
  );
  if (!verified) throw await refusedCode(ctx);
  await attempt.succeeded();
  logSecurity(ctx, "auth.signup.verified", verified.account);
  if (ctx.signupCookie.token) ctx.signupCookie.clear();
  const { passwordToken } = verified;
  return passwordToken ? { phone, passwordToken } : { phone };
}

async function redeemVerification(
  trx: Trx,
  ctx: Context,
  input: VerifyAccountInput,
): Promise<{ account: Account; passwordToken: string | null } | null> {
  const account = await lockAccount(trx, { phone: input.phone });
  if (!account || account.verified) return null;
  const target = { account, purpose: "verify", device: null } as const;
  if (!(await redeemCode(trx, ctx, target, input.verifyCode))) return null;
  // An API client sends no Origin header and may keep no cookies; a stranger cannot make a victim enter a code in one.
  if (!ctx.isBrowser || isSameBrowser(ctx, account)) {
    await markVerified(trx, account._id, ctx.now().toISOString());
    return { account, passwordToken: null };
  }
  await verifyByEmailOnly(trx, account, ctx.now().toISOString());
  await deleteCodesAndLinks(trx, account._id);
  return { account, passwordToken: await issuePasswordToken(trx, ctx, account) };
}

async function refusedCode({ signupCookie, readDb }: Context): Promise<AppError> {
  const { token: id } = signupCookie;
  const isReplaced = id !== null && !(await findAccount(readDb, { id }));
  const advice =
    ". There is a newer sign-up with your email or mobile number: enter its code, sign up again, or log in with an OTP";
  return new AppError("UNAUTHENTICATED", `Invalid or expired OTP${isReplaced ? advice : ""}`);
}

/** Enough time to find the mail. */
const SIGNUP_REMEMBERED_MS = DAY_MS;

/** Sets a cookie with the id of the sign-up that was made in this browser; nobody else learns the id. */
export function rememberSignup(ctx: Context, id: string): void {
  ctx.signupCookie.set(id, new Date(ctx.now().getTime() + SIGNUP_REMEMBERED_MS));
}

/** Whether this browser made the sign-up, or has shown that it knows its password. */
function isSameBrowser({ signupCookie }: Context, { _id }: Account): boolean {
  return signupCookie.token === _id;
}

/** Sends a new code to an unverified account. Answers the same when it does not exist. */
export async function resendVerification(ctx: Context, input: { phone: string }) {
  await countCodeRequest(ctx, { phone: input.phone }, null);
  await withMinimumTime(ctx, () => transact(ctx.db, (trx) => resendCode(trx, ctx, input)));
  return { phone: input.phone };
}

const UNVERIFIED_KEPT_MS = 30 * DAY_MS;
const DELETED_AT_ONCE = 500;

/** Deletes what was entered in sign-ups that nobody has verified for thirty days. */
export async function deleteAbandonedSignups({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - UNVERIFIED_KEPT_MS).toISOString();
  await deleteUnverifiedBefore(db, { before, limit: DELETED_AT_ONCE });
}
