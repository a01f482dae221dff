import { type Trx, transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import type { CurrentUser, LoginInput, OtpLoginInput } from "#shared/schemas/accounts.ts";
import { PENDING_LOGIN_MINUTES } from "#shared/schemas/second-factors.ts";
import { STAFF_PASSWORD_CHARACTERS } from "#shared/schemas/staff-passwords.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/rate-limit.ts";
import { newToken, sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { loginCodeMail } from "./accounts.mails.ts";
import { type Account, findAccount, lockAccount, verifyByEmailOnly } from "./accounts.queries.ts";
import { deleteCode } from "./codes.queries.ts";
import { areCodesBlocked, issueCode, redeemCode } from "./codes.ts";
import {
  countCodeRequest,
  countCodeTry,
  countLogin,
  type Device,
  isMailAllowed,
  knownDevice,
  mailPriority,
  rememberDevice,
  withMinimumTime,
} from "./login-attempts.ts";
import { checkPassword, findStaffPasswordFault } from "./passwords.ts";
import { requestPasswordLink } from "./recovery.service.ts";
import {
  consumePendingLogin,
  findPendingLogin,
  findSecondFactors,
  insertPendingLogin,
  isSecondFactorRequired,
  type SecondFactors,
} from "./second-factor.queries.ts";
import { rememberSignup, resendCode, sendCodesBlockedMail } from "./signup.service.ts";

/** The user of the session, or null for a guest. */
export function me(ctx: Context): CurrentUser | null {
  return ctx.actor.kind === "user" ? ctx.actor.user : null;
}

/** Logs in by password. An unknown e-mail and a wrong password get the same answer after the same work. */
export async function login(ctx: Context, input: LoginInput): Promise<CurrentUser> {
  const account = await findAccount(ctx.readDb, { email: input.email });
  const attempt = await countLogin(ctx, input.email, { account, device: knownDevice(ctx, account) });
  const isRight = await checkPassword(account?.passwordHash, input.password, networkOf(ctx.address));
  if (!isRight || !account) throw wrongLogin(ctx, input);
  if (!account.verified) throw await askToVerify(ctx, account);
  await refuseWeakStaffPassword(ctx, account, input.password);
  const isStaff = account.role !== "customer";
  // The password was right, whatever the second factor says.
  if (isStaff) await attempt.succeeded();
  // Started together, so that both writes share one commit.
  const [user] = await Promise.all([
    openSession(ctx, account, { isConfirmed: true, isShared: input.isSharedComputer }),
    isStaff || attempt.succeeded(),
  ]);
  return user;
}

function wrongLogin(ctx: Context, { email }: { email: string }): AppError {
  logSecurity(ctx, "auth.login.failed", { email }, { way: "password" });
  return new AppError("UNAUTHENTICATED", "Invalid email or password");
}

/**
 * Only shown to somebody who knows the password, so it reveals nothing; their browser counts as the one of the sign-up.
 */
async function askToVerify(ctx: Context, account: Account): Promise<AppError> {
  rememberSignup(ctx, account._id);
  await countCodeRequest(ctx, { email: account.email }, null);
  await transact(ctx.db, (trx) => resendCode(trx, ctx, { id: account._id }));
  return new AppError(
    "ACCOUNT_NOT_VERIFIED",
    "Please verify your account. We have sent a new OTP to your email",
    {
      data: { phone: account.phone },
    },
  );
}

/**
 * Whoever guessed a weak staff password must not be able to choose the next one, so the link goes to the staff member's
 * mailbox.
 */
async function refuseWeakStaffPassword(ctx: Context, account: Account, password: string): Promise<void> {
  if (account.role === "customer" || !(await findStaffPasswordFault(password, account))) return;
  await requestPasswordLink(ctx, account);
  throw new AppError(
    "PASSWORD_TOO_WEAK",
    `Your password is too weak for a staff account: it needs at least ${STAFF_PASSWORD_CHARACTERS} characters and must be hard to guess. We have sent a link to your email to choose a new one`,
  );
}

/** Mails a login code. Answers the same when the account does not exist. */
export async function requestLoginOtp(ctx: Context, input: { email: string }) {
  const device = knownDevice(ctx, await findAccount(ctx.readDb, { email: input.email }));
  await countCodeRequest(ctx, { email: input.email }, device);
  await withMinimumTime(ctx, () =>
    transact(ctx.db, (trx) => sendLoginCode(trx, ctx, { email: input.email, device })),
  );
  return { email: input.email };
}

async function sendLoginCode(
  trx: Trx,
  ctx: Context,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const account = await lockAccount(trx, { email });
  const isAllowed = await isMailAllowed(trx, ctx, "codeMail", account && { email, device });
  if (!account || !isAllowed) return;
  if (!device && (await areCodesBlocked(trx, ctx, account))) {
    await sendCodesBlockedMail(trx, ctx, account);
    return;
  }
  const code = await issueCode(trx, ctx, { userId: account._id, purpose: "login" });
  const { fullName, verified } = account;
  const mail = loginCodeMail({ to: email, fullName, code, neverVerified: !verified });
  await queueMail(trx, ctx, { ...mail, priority: await mailPriority(trx, ctx, account) });
}

export async function loginWithOtp(ctx: Context, input: OtpLoginInput): Promise<CurrentUser> {
  const by = input.email ? { email: input.email } : { phone: input.phone ?? "" };
  const named = await findAccount(ctx.readDb, by);
  const device = knownDevice(ctx, named);
  const attempt = await countCodeTry(ctx, by, { account: named, device });
  const account = await withMinimumTime(ctx, () =>
    transact(ctx.db, (trx) => redeemLogin(trx, ctx, { by, device, code: input.verifyCode })),
  );
  if (!account) {
    logSecurity(ctx, "auth.login.failed", by, { way: "code" });
    throw new AppError("UNAUTHENTICATED", "Invalid or expired OTP");
  }
  await attempt.succeeded();
  return openSession(ctx, account, { isConfirmed: false, isShared: input.isSharedComputer });
}

/** The code came by mail, so it also proves the e-mail of an account that was never verified. */
async function redeemLogin(
  trx: Trx,
  ctx: Context,
  { by, device, code }: { by: { email: string } | { phone: string }; device: Device; code: string },
): Promise<Account | null> {
  const account = await lockAccount(trx, by);
  if (!account || !(await redeemCode(trx, ctx, { account, purpose: "login", device }, code))) return null;
  await deleteCode(trx, account._id, "verify");
  return verifyByEmailOnly(trx, account, ctx.now().toISOString());
}

/**
 * Opens a new session and ends the one that the browser had. Throws UNAUTHENTICATED if the password has been changed since the
 * account was read.
 * @param how `isConfirmed`: the person has just proved their identity by a password or a second factor; `isComplete`:
 *   no second factor is needed any more; `isShared`: others use the computer too
 */
export async function openSession(
  ctx: Context,
  account: CurrentUser & Partial<Pick<Account, "passwordHash">>,
  {
    isConfirmed,
    isComplete = false,
    isShared = false,
  }: { isConfirmed: boolean; isComplete?: boolean; isShared?: boolean | undefined },
): Promise<CurrentUser> {
  if (!isComplete) await requireSecondFactor(ctx, account, isShared);
  const session = await ctx.sessions.create(account, ctx.userAgent, { isConfirmed, isShared });
  const { _id, fullName, email, phone, role, passwordHash } = account;
  // A password change in the meantime ended all sessions, but may have missed this one. The lock waits for its commit.
  const opened = await transact(ctx.db, (trx) => lockAccount(trx, { id: _id }));
  if (passwordHash !== undefined && opened?.passwordHash !== passwordHash) {
    await ctx.sessions.end(session.token);
    logSecurity(ctx, "auth.login.failed", { email }, { way: "password changed" });
    throw new AppError("UNAUTHENTICATED", "Your password was changed on another device. Please log in again");
  }
  logSecurity(ctx, "auth.login.succeeded", { email });
  if (ctx.cookie.token) await ctx.sessions.end(ctx.cookie.token);
  ctx.cookie.set(session.token, session.expiresAt);
  // However the session ends, the next person on this device must not see the visit at a counter from before it.
  if (ctx.visitCookie.token) ctx.visitCookie.clear();
  if (isShared) ctx.deviceCookie.clear();
  else if (opened) rememberDevice(ctx, opened);
  return { _id, fullName, email, phone, role };
}

/** When a login that begins now, a step of it, or the setting-up of a second factor has to be finished. */
export function pendingUntil({ now }: Pick<Context, "now">): Date {
  return new Date(now().getTime() + PENDING_LOGIN_MINUTES * MINUTE_MS);
}

export function hasSecondFactor({ totp, passkeys }: SecondFactors): boolean {
  return totp !== null || passkeys.length > 0;
}

/**
 * Stops a staff login that has proved one factor only, if the account has a second one or must have one. The browser
 * then gets a pending login instead of a session; it only allows giving or setting up the second factor.
 */
async function requireSecondFactor(ctx: Context, account: CurrentUser, isShared: boolean): Promise<void> {
  if (account.role === "customer") return;
  const isThere = hasSecondFactor(await findSecondFactors(ctx.db, account._id));
  if (!isThere && !(await isSecondFactorRequired(ctx.readDb, account.role, ctx.config.publicUrl))) return;
  const token = newToken();
  const expiresAt = pendingUntil(ctx);
  await insertPendingLogin(ctx.db, {
    id: sha256(token),
    userId: account._id,
    expiresAt: expiresAt.toISOString(),
    isShared,
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

/** Ends this browser's pending login, and says what was said at its beginning; null if it has none that counts any more. */
export async function takePendingLogin(ctx: Context): Promise<{ isShared: boolean } | null> {
  const id = sha256(ctx.pendingLogin.token ?? "");
  const taken = await consumePendingLogin(ctx.db, id, ctx.now().toISOString());
  ctx.pendingLogin.clear();
  return taken;
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

export async function logout(ctx: Context): Promise<null> {
  if (ctx.cookie.token) await ctx.sessions.end(ctx.cookie.token);
  ctx.cookie.clear();
  return null;
}
