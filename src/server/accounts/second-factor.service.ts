import { randomInt } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { CONFIRMATION_MINUTES, type CurrentUser } from "#shared/schemas/accounts.ts";
import { RECOVERY_CODES } from "#shared/schemas/second-factors.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError, fieldError } from "../errors.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { secondFactorMail, secondFactorResetMail } from "./accounts.mails.ts";
import { lockAccount } from "./accounts.queries.ts";
import {
  findPendingAccount,
  hasSecondFactor,
  openSession,
  pendingUntil,
  takePendingLogin,
} from "./login.service.ts";
import { countSecondFactorTry } from "./login-attempts.ts";
import {
  consumeRecoveryCode,
  consumeTotpStep,
  deletePasskey,
  deleteSecondFactors,
  deleteTotpSecret,
  findSecondFactors,
  findTotpSecret,
  isRuleSet,
  isSecondFactorRequired,
  replaceRecoveryCodes,
  replaceTotpSecret,
  type SecondFactors,
  storeRule,
} from "./second-factor.queries.ts";
import { deleteOtherSessions, deleteSessionsOf } from "./sessions.queries.ts";
import { currentSessionId } from "./sessions.ts";

/** The step of RFC 6238 that every authenticator app supports. */
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

/** The time step of a code, one step of clock drift allowed; null when the code is wrong. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const drift = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return drift === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + drift;
}

/**
 * Redeems a code of the person's authenticator app or one of their recovery codes; false when it is wrong or used.
 * Tries are limited per account and address, and per account.
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
  return sealed !== null && step !== null && consumeTotpStep(ctx.db, { userId, secret: sealed, step });
}

function redeemRecovery(ctx: Context, user: CurrentUser, code: string): Promise<boolean> {
  return transact(ctx.db, async (trx) => {
    if (!(await consumeRecoveryCode(trx, user._id, hashCode(ctx, user._id, code)))) return false;
    await recordEvent(trx, ctx, user, { action: "factor.recoveryCodeUsed", factor: "recovery code" });
    return true;
  });
}

export function wrongCode(): AppError {
  return fieldError("code", "This code is wrong, expired or already used");
}

/** Completes this browser's pending login and opens its session. */
export async function finishLogin(ctx: Context, { code }: { code: string }): Promise<CurrentUser> {
  const account = (await findPendingAccount(ctx)) ?? noPendingLogin();
  if (!(await redeemSecondFactor(ctx, account, code))) throw wrongCode();
  return completeLogin(ctx);
}

/** Throws GONE when the pending login was used, or was ended by a password change. */
async function completeLogin(ctx: Context): Promise<CurrentUser> {
  const account = (await findPendingAccount(ctx)) ?? noPendingLogin();
  const { isShared } = (await takePendingLogin(ctx)) ?? noPendingLogin();
  return openSession(ctx, account, { isConfirmed: true, isComplete: true, isShared });
}

/** Cancels this browser's pending login, so that somebody else can log in. */
export async function cancelLogin(ctx: Context): Promise<null> {
  await takePendingLogin(ctx);
  return null;
}

export function noPendingLogin(): never {
  throw new AppError("GONE", "This login took too long. Please start again");
}

/**
 * The user who may set up a second factor: staff who have just confirmed their identity, or whose pending login still
 * lacks a first one.
 */
export async function requireEnrolment(ctx: Context): Promise<CurrentUser> {
  if (ctx.actor.kind === "user" && ctx.actor.user.role !== "customer") {
    requireRecentAuth(ctx);
    return ctx.actor.user;
  }
  const account = (await findPendingAccount(ctx)) ?? noPendingLogin();
  requireFirstFactor(await findSecondFactors(ctx.db, account._id));
  return account;
}

/** Whoever already has a second factor must use it: the password alone must not add another. */
function requireFirstFactor(present: SecondFactors): void {
  if (hasSecondFactor(present)) noPendingLogin();
}

/**
 * Creates a secret for an authenticator app. Nothing is stored until `addTotp` gets one of its codes together with
 * `enrolment`.
 */
export async function startTotp(ctx: Context) {
  const user = await requireEnrolment(ctx);
  const secret = new Secret({ size: 20 }).base32;
  const expiresAt = pendingUntil(ctx).getTime();
  return {
    secret,
    uri: totpOf(secret, user.email).toString(),
    enrolment: ctx.keyring.seal(`enrolment ${user._id}`, JSON.stringify({ secret, expiresAt })),
  };
}

/** Adds the authenticator app once a code proves that it has the secret. It replaces an earlier app. */
export async function addTotp(
  ctx: Context,
  { enrolment, code }: { enrolment: string; code: string },
): Promise<AddedFactor> {
  const user = await requireEnrolment(ctx);
  const attempt = await countSecondFactorTry(ctx, user);
  const opened = ctx.keyring.unseal(`enrolment ${user._id}`, enrolment);
  const { secret, expiresAt } = opened ? JSON.parse(opened) : { secret: "", expiresAt: 0 };
  if (expiresAt <= ctx.now().getTime()) throw new AppError("GONE", "This took too long. Please start again");
  const step = stepOf(secret, code.replaceAll(/\s/g, ""), ctx.now());
  if (step === null) throw wrongCode();
  await attempt.succeeded();
  const sealed = ctx.keyring.seal(`totp ${user._id}`, secret);
  const at = ctx.now().toISOString();
  return addFactor(ctx, user, "authenticator app", (trx) =>
    replaceTotpSecret(trx, { userId: user._id, secret: sealed, step, at }),
  );
}

export interface AddedFactor {
  /** Shown once, with the first factor; null when the user already has recovery codes. */
  recoveryCodes: string[] | null;
  /** Set when this completed a pending login. */
  user: CurrentUser | null;
}

/** Stores a second factor, tells the user by mail and ends their other sessions, which were opened without it. */
export async function addFactor(
  ctx: Context,
  user: CurrentUser,
  factor: string,
  store: (trx: Trx, before: SecondFactors) => Promise<void>,
): Promise<AddedFactor> {
  const recoveryCodes = await transact(ctx.db, async (trx) => {
    await lockAccount(trx, { id: user._id });
    const before = await findSecondFactors(trx, user._id);
    // Another login may have set one up since this one was asked for it.
    if (!isOwnSession(ctx, user)) requireFirstFactor(before);
    await store(trx, before);
    const codes = before.recoveryCodesLeft === 0 ? await storeRecoveryCodes(trx, ctx, user._id) : null;
    await deleteOtherSessions(trx, user._id, currentSessionId(ctx));
    await recordEvent(trx, ctx, user, { action: "factor.add", factor });
    return codes;
  });
  return { recoveryCodes, user: isOwnSession(ctx, user) ? null : await completeLogin(ctx) };
}

/** Also false when another user, such as a student, is logged in while this person's login is pending. */
function isOwnSession({ actor }: Context, user: CurrentUser): boolean {
  return actor.kind === "user" && actor.user._id === user._id;
}

/** The logged-in user's second factors. */
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
    // One change after the other: two at once would each see the factor that the other one removes.
    await lockAccount(trx, { id: user._id });
    const factor = await take(trx, user._id);
    if (!factor) throw new AppError("NOT_FOUND", "This second factor was already removed");
    if (!hasSecondFactor(await findSecondFactors(trx, user._id))) {
      if (await isSecondFactorRequired(trx, user.role, ctx.config.publicUrl)) {
        throw new AppError("CONFLICT", "Your role requires a second factor. Please add another one first");
      }
      await replaceRecoveryCodes(trx, user._id, []);
    }
    await recordEvent(trx, ctx, user, { action: "factor.remove", factor });
  });
  return null;
}

/** Creates ten recovery codes; they replace the earlier ones. */
export async function newRecoveryCodes(ctx: Context<SignedIn>): Promise<{ recoveryCodes: string[] }> {
  const { user } = ctx.actor;
  const recoveryCodes = await transact(ctx.db, async (trx) => {
    // One change after the other: two at once would each leave the codes of the other valid.
    await lockAccount(trx, { id: user._id });
    if (!hasSecondFactor(await findSecondFactors(trx, user._id))) {
      throw new AppError("CONFLICT", "Recovery codes need a second factor. Please add one first");
    }
    const codes = await storeRecoveryCodes(trx, ctx, user._id);
    await recordEvent(trx, ctx, user, { action: "factor.recoveryCodes", factor: "recovery codes" });
    return codes;
  });
  return { recoveryCodes };
}

/** Removes all second factors of a staff member and ends their sessions; mails them and the admin. */
export async function resetSecondFactors(
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
      `${admin.fullName} has reset your second factor, and you were logged out everywhere. If you did not ask for this, tell another admin of the store right away.`,
    ],
    [admin.email, `You have reset the second factor of ${user.fullName} (${user.email}).`],
  ];
  for (const [to, text] of texts) await queueMail(trx, ctx, secondFactorResetMail({ to, text }));
}

/** Whether owners and counter staff must have a second factor. */
export function isStaffSecondFactorRequired(db: Db | Trx): Promise<boolean> {
  return isRuleSet(db);
}

export function setStaffSecondFactorRequired(trx: Trx, required: boolean): Promise<void> {
  return storeRule(trx, required);
}

/** Without letters and digits that look alike; ten of these 32 characters make 50 random bits. */
const RECOVERY_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

async function storeRecoveryCodes(trx: Trx, ctx: Context, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 10 }, () => RECOVERY_CODE_ALPHABET[randomInt(RECOVERY_CODE_ALPHABET.length)]).join(
      "",
    ),
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

type SecondFactorEvent = "factor.add" | "factor.remove" | "factor.recoveryCodes" | "factor.recoveryCodeUsed";

async function recordEvent(
  trx: Trx,
  ctx: Context,
  user: CurrentUser,
  { action, factor }: { action: SecondFactorEvent; factor: string },
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

const LIFETIME_MS = CONFIRMATION_MINUTES * MINUTE_MS;

/**
 * Throws CONFIRMATION_REQUIRED when the user has not proved their identity in the last ten minutes: somebody who finds
 * a console open must not reach people, payment addresses, refunds and exports.
 */
export function requireRecentAuth(ctx: Pick<Context, "confirmedAt" | "now">): void {
  if (!hasRecentAuth(ctx)) throw confirmationRequired();
}

/** For calls that need the proof only in some cases, such as a refund. */
export function hasRecentAuth({ confirmedAt, now }: Pick<Context, "confirmedAt" | "now">): boolean {
  return confirmedAt !== null && now().getTime() - confirmedAt.getTime() < LIFETIME_MS;
}

export function confirmationRequired(): AppError {
  return new AppError("CONFIRMATION_REQUIRED", "Please confirm your identity and try again");
}
