import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { CONFIRMATION_MINUTES, type CurrentUser } from "#shared/schemas/accounts.ts";
import { PENDING_LOGIN_MINUTES, RECOVERY_CODES } from "#shared/schemas/second-factors.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { secondFactorMail, secondFactorResetMail } from "./accounts.mails.ts";
import { openSession } from "./login.service.ts";
import { countSecondFactorTry } from "./login-attempts.ts";
import { findPendingAccount, hasSecondFactor } from "./pending-login.service.ts";
import {
  deletePasskey,
  deleteSecondFactors,
  deleteTotpSecret,
  findSecondFactors,
  findTotpSecret,
  isRuleSet,
  isSecondFactorRequired,
  replaceRecoveryCodes,
  replaceTotpSecret,
  storeRule,
  takePendingLogin,
  takeRecoveryCode,
  takeTotpStep,
} from "./second-factor.queries.ts";
import { deleteOtherSessions, deleteSessionsOf } from "./sessions.queries.ts";
import { currentSessionId } from "./sessions.ts";

/** RFC 6238, as every authenticator app has it. */
const STEP_SECONDS = 30;
const ISSUER = "Print Store";

function totpOf(secret: string, label = ""): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: STEP_SECONDS,
  });
}

/** The time step that a code is of, now or one step around it; null for a wrong one. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const drift = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return drift === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + drift;
}

/**
 * Uses up a code of the person's authenticator app, or one of their recovery codes; false for a wrong or used one. Tries
 * are few for the account at this address, and bounded for it everywhere.
 */
export async function redeemSecondFactor(ctx: Context, user: CurrentUser, typed: string): Promise<boolean> {
  const attempt = await countSecondFactorTry(ctx, user);
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  const isRight = /^\d{6}$/.test(code)
    ? await redeemTotp(ctx, user._id, code)
    : await redeemRecovery(ctx, user, code);
  if (isRight) await attempt.succeeded();
  else logSecurity(ctx, "auth.login.failed", user, { way: "second factor" });
  return isRight;
}

async function redeemTotp(ctx: Context, userId: string, code: string): Promise<boolean> {
  const sealed = await findTotpSecret(ctx.db, userId);
  const secret = sealed && ctx.keyring.unseal(`totp ${userId}`, sealed);
  const step = secret ? stepOf(secret, code, ctx.now()) : null;
  return sealed !== null && step !== null && takeTotpStep(ctx.db, { userId, secret: sealed, step });
}

function redeemRecovery(ctx: Context, user: CurrentUser, code: string): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    if (!(await takeRecoveryCode(trx, user._id, hashCode(ctx, user._id, code)))) return false;
    await tell(trx, ctx, user, { action: "factor.recoveryCodeUsed", factor: "recovery code" });
    return true;
  });
}

export function wrongCode(): AppError {
  const message = "This code is wrong, was used already or has run out";
  return new AppError("INVALID_INPUT", message, { issues: [{ path: "code", message }] });
}

/** Opens the session that a pending login of this browser waits for. */
export async function finishLogin(ctx: Context, { code }: { code: string }): Promise<CurrentUser> {
  const account = (await findPendingAccount(ctx)) ?? noPendingLogin();
  if (!(await redeemSecondFactor(ctx, account, code))) throw wrongCode();
  return completeLogin(ctx, account);
}

/** @throws GONE when the pending login was used, or has ended meanwhile with a change of password. */
async function completeLogin(ctx: Context, account: CurrentUser): Promise<CurrentUser> {
  const taken = await takePendingLogin(ctx.db, sha256(ctx.pendingLogin.token ?? ""), ctx.now().toISOString());
  ctx.pendingLogin.clear();
  if (taken !== account._id) noPendingLogin();
  return openSession(ctx, account, { isConfirmed: true, isComplete: true });
}

/** Gives a pending login up, so that somebody else can log in. */
export async function cancelLogin(ctx: Context): Promise<null> {
  await takePendingLogin(ctx.db, sha256(ctx.pendingLogin.token ?? ""), ctx.now().toISOString());
  ctx.pendingLogin.clear();
  return null;
}

function noPendingLogin(): never {
  throw new AppError("GONE", "This login took too long. Please begin anew");
}

/** Who may set up a factor: staff who have just proved that it is them, or whose login waits for their first factor. */
export async function requireEnrolling(ctx: Context): Promise<CurrentUser> {
  if (ctx.actor.kind === "user" && ctx.actor.user.role !== "customer") {
    requireRecentAuth(ctx);
    return ctx.actor.user;
  }
  const account = (await findPendingAccount(ctx)) ?? noPendingLogin();
  // Whoever has one gives it: the password alone adds no other.
  if (hasSecondFactor(await findSecondFactors(ctx.db, account._id))) noPendingLogin();
  return account;
}

/** A new secret for an authenticator app. Nothing is stored until a code of it comes back with `enrolment`. */
export async function startTotp(ctx: Context) {
  const user = await requireEnrolling(ctx);
  const secret = new Secret({ size: 20 }).base32;
  const expiresAt = ctx.now().getTime() + PENDING_LOGIN_MINUTES * 60 * 1000;
  return {
    secret,
    uri: totpOf(secret, user.email).toString(),
    enrolment: ctx.keyring.seal(`enrolment ${user._id}`, JSON.stringify({ secret, expiresAt })),
  };
}

/** Adds the authenticator app once a code shows that it has the secret; one from before no longer works. */
export async function addTotp(
  ctx: Context,
  { enrolment, code }: { enrolment: string; code: string },
): Promise<Added> {
  const user = await requireEnrolling(ctx);
  const attempt = await countSecondFactorTry(ctx, user);
  const opened = ctx.keyring.unseal(`enrolment ${user._id}`, enrolment);
  const { secret, expiresAt } = opened ? JSON.parse(opened) : { secret: "", expiresAt: 0 };
  if (expiresAt <= ctx.now().getTime()) throw new AppError("GONE", "This took too long. Please begin anew");
  const step = stepOf(secret, code.replaceAll(/\s/g, ""), ctx.now());
  if (step === null) throw wrongCode();
  await attempt.succeeded();
  const sealed = ctx.keyring.seal(`totp ${user._id}`, secret);
  const at = ctx.now().toISOString();
  return addFactor(ctx, user, "authenticator app", (trx) =>
    replaceTotpSecret(trx, { userId: user._id, secret: sealed, step, at }),
  );
}

export interface Added {
  /** Shown once, with the first factor; null where there are some from before. */
  recoveryCodes: string[] | null;
  /** Set where this was what a login had waited for. */
  user: CurrentUser | null;
}

/** Stores a factor, tells the person by mail, and ends every other session, which had to prove less. */
export async function addFactor(
  ctx: Context,
  user: CurrentUser,
  factor: string,
  store: (trx: Trx) => Promise<void>,
): Promise<Added> {
  const recoveryCodes = await transact(ctx.db, async (trx) => {
    const before = await findSecondFactors(trx, user._id);
    await store(trx);
    const codes = before.recoveryCodesLeft === 0 ? await storeRecoveryCodes(trx, ctx, user._id) : null;
    await deleteOtherSessions(trx, user._id, currentSessionId(ctx));
    await tell(trx, ctx, user, { action: "factor.add", factor });
    return codes;
  });
  return { recoveryCodes, user: isOwnSession(ctx, user) ? null : await completeLogin(ctx, user) };
}

/** False also where somebody else, a student, is signed in while a login of this person waits. */
function isOwnSession({ actor }: Context, user: CurrentUser): boolean {
  return actor.kind === "user" && actor.user._id === user._id;
}

/** What the signed-in person has as second factors. */
export async function getSecondFactors(ctx: Context<SignedIn>) {
  const { _id, role } = ctx.actor.user;
  return {
    ...(await findSecondFactors(ctx.db, _id)),
    isRequired: await isSecondFactorRequired(ctx.db, role, ctx.config.publicUrl),
  };
}

export function removeTotp(ctx: Context<SignedIn>): Promise<null> {
  return removeFactor(ctx, async (trx, userId) =>
    (await deleteTotpSecret(trx, userId)) ? "authenticator app" : null,
  );
}

export function removePasskey(ctx: Context<SignedIn>, { id }: { id: string }): Promise<null> {
  return removeFactor(ctx, async (trx, userId) => {
    const name = await deletePasskey(trx, userId, id);
    return name && `passkey "${name}"`;
  });
}

async function removeFactor(
  ctx: Context<SignedIn>,
  take: (trx: Trx, userId: string) => Promise<string | null>,
): Promise<null> {
  const { user } = ctx.actor;
  await transact(ctx.db, async (trx) => {
    const factor = await take(trx, user._id);
    if (!factor) throw new AppError("NOT_FOUND", "This second factor was removed already");
    if (!hasSecondFactor(await findSecondFactors(trx, user._id))) {
      if (await isSecondFactorRequired(trx, user.role, ctx.config.publicUrl)) {
        throw new AppError("CONFLICT", "Your work needs a second factor. Please add another one first");
      }
      await replaceRecoveryCodes(trx, user._id, []);
    }
    await tell(trx, ctx, user, { action: "factor.remove", factor });
  });
  return null;
}

/** Ten new recovery codes; those from before no longer work. */
export async function newRecoveryCodes(ctx: Context<SignedIn>): Promise<{ recoveryCodes: string[] }> {
  const { user } = ctx.actor;
  const recoveryCodes = await transact(ctx.db, async (trx) => {
    if (!hasSecondFactor(await findSecondFactors(trx, user._id))) {
      throw new AppError("CONFLICT", "Recovery codes come with a second factor. Please add one first");
    }
    const codes = await storeRecoveryCodes(trx, ctx, user._id);
    await tell(trx, ctx, user, { action: "factor.recoveryCodes", factor: "recovery codes" });
    return codes;
  });
  return { recoveryCodes };
}

/** Takes every second factor of someone of the staff away and ends their sessions; tells them and the admin by mail. */
export async function clearSecondFactors(
  trx: Trx,
  ctx: Context<SignedIn>,
  user: Pick<CurrentUser, "_id" | "fullName" | "email">,
): Promise<void> {
  await deleteSecondFactors(trx, user._id);
  await deleteSessionsOf(trx, user._id);
  const admin = ctx.actor.user;
  const texts: [to: string, text: string][] = [
    [
      user.email,
      `${admin.fullName} has reset your second factor, and you were logged out everywhere. If you did not ask for it, tell another admin of the store at once.`,
    ],
    [admin.email, `You have reset the second factor of ${user.fullName} (${user.email}).`],
  ];
  for (const [to, text] of texts) await queueMail(trx, ctx, secondFactorResetMail({ to, text }));
}

/** Whether owners and counter staff must have a second factor. */
export function isSecondFactorRuleSet(db: Db | Trx): Promise<boolean> {
  return isRuleSet(db);
}

export function setSecondFactorRuleTo(trx: Trx, required: boolean): Promise<void> {
  return storeRule(trx, required);
}

/** Without letters and digits that look alike: 50 bits of chance in ten of them. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

async function storeRecoveryCodes(trx: Trx, ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(""),
  );
  await replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashCode(ctx, userId, code)),
  );
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

function hashCode({ keyring }: Pick<Context, "keyring">, userId: string, code: string): string {
  return keyring.mac("recovery-code", `${userId}:${code}`);
}

type Told = "factor.add" | "factor.remove" | "factor.recoveryCodes" | "factor.recoveryCodeUsed";

async function tell(
  trx: Trx,
  ctx: Context,
  user: CurrentUser,
  { action, factor }: { action: Told; factor: string },
): Promise<void> {
  logSecurity(ctx, `auth.${action}`, user);
  const actor = { kind: "user" as const, user };
  await recordAudit(
    trx,
    { now: ctx.now, actor },
    { action, subject: { id: user._id, name: user.fullName }, after: { factor } },
  );
  const url = `${ctx.publicUrl()}/admin/security`;
  await queueMail(
    trx,
    ctx,
    secondFactorMail({ to: user.email, fullName: user.fullName, action, factor, url }),
  );
}

const LIFETIME_MS = CONFIRMATION_MINUTES * 60 * 1000;

/**
 * Throws CONFIRMATION_REQUIRED when the person of the session has not proved for ten minutes that it is them: whoever
 * finds a console open does not get at people, payment addresses, refunds and exports.
 */
export function requireRecentAuth(ctx: Pick<Context, "confirmedAt" | "now">): void {
  if (!hasRecentAuth(ctx)) throw confirmationRequired();
}

/** For what asks for the proof only where it turns out to give money back. */
export function hasRecentAuth({ confirmedAt, now }: Pick<Context, "confirmedAt" | "now">): boolean {
  return confirmedAt !== null && now().getTime() - confirmedAt.getTime() < LIFETIME_MS;
}

export function confirmationRequired(): AppError {
  return new AppError("CONFIRMATION_REQUIRED", "Please confirm that it is you, and try again");
}
