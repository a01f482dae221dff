import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser, LoginInput, OtpLoginInput } from "#shared/schemas/accounts.ts";
import { STAFF_PASSWORD_CHARACTERS } from "#shared/schemas/staff-passwords.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/rate-limit.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { loginCodeMail } from "./accounts.mails.ts";
import { type Account, claimAddress, findAccount, holdAccount } from "./accounts.queries.ts";
import { areCodesClosed, issueCode, redeemCode } from "./codes.ts";
import {
  countCodeRequest,
  countCodeTry,
  countLogin,
  type Device,
  inEvenTime,
  knownDevice,
  mayMail,
  rememberDevice,
} from "./login-attempts.ts";
import { checkPassword, findStaffPasswordFault } from "./passwords.ts";
import { requireSecondFactor } from "./pending-login.service.ts";
import { requestPasswordLink } from "./recovery.service.ts";
import { deleteCode } from "./secrets.queries.ts";
import type { NewSession } from "./sessions.ts";
import { rememberSignup, resendCode, tellCodesClosed } from "./signup.service.ts";

/** The user of the session, or null for a guest. */
export function me(ctx: Context): CurrentUser | null {
  return ctx.actor.kind === "user" ? ctx.actor.user : null;
}

/** Opens a session by password. An unknown e-mail and a wrong password get one answer, after the same work. */
export async function login(ctx: Context, input: LoginInput): Promise<CurrentUser> {
  const account = await findAccount(ctx.readDb, { email: input.email });
  const attempt = await countLogin(ctx, input.email, { account, device: knownDevice(ctx, account) });
  const isRight = await checkPassword(account?.passwordHash, input.password, networkOf(ctx.address));
  if (!isRight || !account) throw wrongLogin(ctx, input);
  if (!account.verified) throw await askToVerify(ctx, account);
  await refuseWeakStaffPassword(ctx, account, input.password);
  const isStaff = account.role !== "customer";
  if (isStaff) {
    // The password was right, whatever comes of the second factor.
    await attempt.succeeded();
    await requireSecondFactor(ctx, account);
  }
  // At once, so that both are written with one commit.
  const [session] = await Promise.all([
    ctx.sessions.create(account, ctx.userAgent, true),
    isStaff || attempt.succeeded(),
  ]);
  // Whoever has changed the password meanwhile ended the sessions that there were, and may not have seen this one.
  const { passwordHash } = (await findAccount(ctx.readDb, { id: account._id })) ?? {};
  if (passwordHash !== account.passwordHash) {
    await ctx.sessions.end(session.token);
    throw wrongLogin(ctx, input);
  }
  return begin(ctx, account, session, account);
}

function wrongLogin(ctx: Context, { email }: { email: string }): AppError {
  logSecurity(ctx, "auth.login.failed", { email }, { way: "password" });
  return new AppError("UNAUTHENTICATED", "Invalid email or password");
}

/** Only told to who knows the password, so it gives nothing away; their browser is as good as that of the sign-up. */
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
 * Who may have guessed a weak password of someone on the staff must not be the one to choose its successor: that takes the
 * link which goes to their mailbox.
 */
async function refuseWeakStaffPassword(ctx: Context, account: Account, password: string): Promise<void> {
  if (account.role === "customer" || !(await findStaffPasswordFault(password, account))) return;
  await requestPasswordLink(ctx, account);
  throw new AppError(
    "PASSWORD_TOO_WEAK",
    `Your password is too weak for the staff: it needs at least ${STAFF_PASSWORD_CHARACTERS} characters that nobody would guess. We have sent a link to your email by which you choose a new one`,
  );
}

/** Mails a login code. Answers the same when there is no such account. */
export async function requestLoginOtp(ctx: Context, input: { email: string }) {
  const device = knownDevice(ctx, await findAccount(ctx.readDb, { email: input.email }));
  await countCodeRequest(ctx, { email: input.email }, device);
  await inEvenTime(() => transact(ctx.db, (trx) => sendLoginCode(trx, ctx, { email: input.email, device })));
  return { email: input.email };
}

async function sendLoginCode(
  trx: Trx,
  ctx: Context,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const account = await holdAccount(trx, { email });
  if (!account || !(await mayMail(trx, ctx, "codeMail", { email, device }))) return;
  if (!device && (await areCodesClosed(trx, ctx, account))) {
    await tellCodesClosed(trx, ctx, account);
    return;
  }
  const code = await issueCode(trx, ctx, { userId: account._id, purpose: "login" });
  const { fullName, verified } = account;
  await queueMail(trx, ctx, loginCodeMail({ to: email, fullName, code, neverVerified: !verified }));
}

export async function loginWithOtp(ctx: Context, input: OtpLoginInput): Promise<CurrentUser> {
  const by = input.email ? { email: input.email } : { phone: input.phone ?? "" };
  const named = await findAccount(ctx.readDb, by);
  const device = knownDevice(ctx, named);
  const attempt = await countCodeTry(ctx, by, { account: named, device });
  const account = await inEvenTime(() =>
    transact(ctx.db, (trx) => redeemLogin(trx, ctx, { by, device, code: input.verifyCode })),
  );
  if (!account) {
    logSecurity(ctx, "auth.login.failed", by, { way: "code" });
    throw new AppError("UNAUTHENTICATED", "Invalid or expired OTP");
  }
  await attempt.succeeded();
  return openSession(ctx, account, { isConfirmed: false });
}

/** The code came by mail, so using it also proves the e-mail of an account that was never verified. */
async function redeemLogin(
  trx: Trx,
  ctx: Context,
  { by, device, code }: { by: { email: string } | { phone: string }; device: Device; code: string },
): Promise<Account | null> {
  const account = await holdAccount(trx, by);
  if (!account || !(await redeemCode(trx, ctx, { account, purpose: "login", device }, code))) return null;
  await deleteCode(trx, account._id, "verify");
  return claimAddress(trx, account, ctx.now().toISOString());
}

/**
 * A login always gets a new session; the one that the browser came with ends.
 * @param how `isConfirmed`: the person has just proved by a password or a second factor that it is them; `isComplete`: no
 *   second factor is to be asked for any more
 */
export async function openSession(
  ctx: Context,
  account: CurrentUser,
  { isConfirmed, isComplete = false }: { isConfirmed: boolean; isComplete?: boolean },
): Promise<CurrentUser> {
  if (!isComplete) await requireSecondFactor(ctx, account);
  const session = await ctx.sessions.create(account, ctx.userAgent, isConfirmed);
  const opened = await findAccount(ctx.readDb, { id: account._id });
  return begin(ctx, account, session, opened);
}

async function begin(
  ctx: Context,
  { _id, fullName, email, phone, role }: CurrentUser,
  session: NewSession,
  opened: Account | null,
): Promise<CurrentUser> {
  logSecurity(ctx, "auth.login.succeeded", { email });
  if (ctx.cookie.token) await ctx.sessions.end(ctx.cookie.token);
  ctx.cookie.set(session.token, session.expiresAt);
  if (opened) rememberDevice(ctx, opened);
  return { _id, fullName, email, phone, role };
}

export async function logout(ctx: Context): Promise<null> {
  if (ctx.cookie.token) await ctx.sessions.end(ctx.cookie.token);
  ctx.cookie.clear();
  return null;
}
