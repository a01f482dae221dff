import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Trx } from "#db/transaction.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LimitUse } from "../http/rate-limit.ts";
import { sameHash } from "../lib/crypto.ts";
import { logSecurity, type Subject } from "../lib/log.ts";
import type { Account } from "./accounts.queries.ts";

/** Where an attempt comes from: the name of a device that the account knows, or null for anybody. */
export type Device = string | null;

/** An attempt that was counted as a failure; once it is known to be none, it is not counted. */
interface Attempt {
  succeeded(): Promise<void>;
}

/**
 * What a count of failures belongs to beside its key: the account's password. Only who has proved that the account is
 * theirs sets another, by a mailed link, a session or at the machine, and every count begins anew with it.
 */
export function generationOf(account: Pick<Account, "passwordHash" | "verified"> | null): string {
  // Anybody may sign up again with the address, which must give nobody more tries.
  return account?.verified ? account.passwordHash : "";
}

/** Counts a login by password. A known device has counts of its own, so that no stranger stops it. */
export function countLogin(
  ctx: Context,
  email: string,
  { account, device }: { account: Account | null; device: Device },
): Promise<Attempt> {
  const { address } = ctx;
  if (device) {
    const own: LimitUse[] = [
      ["loginDevice", device],
      ["loginDeviceDay", device],
    ];
    return count(ctx, { email }, { own, shared: [] });
  }
  const generation = generationOf(account);
  return count(
    ctx,
    { email },
    {
      own: [
        ["loginPair", email, generation, address],
        ["loginPairDay", email, generation, address],
      ],
      shared: [
        ["loginAddress", address],
        ["loginAccount", email, generation],
      ],
    },
  );
}

/** Counts a code that is entered, for an account that is named by its e-mail, its phone or its id. */
export function countCodeTry(
  ctx: Context,
  subject: Subject,
  { account, device }: { account: Account | null; device: Device },
): Promise<Attempt> {
  const own: LimitUse = device
    ? ["otpTryDevice", device]
    : ["otpTryPair", keyOf(subject), generationOf(account), ctx.address];
  return count(ctx, subject, { own: [own], shared: [] });
}

/** Counts a code that is asked for. */
export async function countCodeRequest(ctx: Context, subject: Subject, device: Device): Promise<void> {
  const uses: LimitUse[] = device
    ? [
        ["otpSendDevice", device],
        ["otpSendDeviceDay", device],
      ]
    : [["otpSendPair", keyOf(subject), ctx.address]];
  await takeAll(ctx, subject, uses);
}

/** Counts a recovery link that is asked for; failed logins and codes have no part in it. */
export async function countLinkRequest(ctx: Context, email: string, device: Device): Promise<void> {
  await takeAll(ctx, { email }, [device ? ["recoveryDevice", device] : ["recoveryPair", email, ctx.address]]);
}

/** Counts a sign-up with this e-mail. */
export async function countSignup(ctx: Context, email: string): Promise<void> {
  const { address } = ctx;
  await takeAll(ctx, { email }, [
    ["registerAddress", address],
    ["registerPair", email, address],
    ["registerAccount", email],
  ]);
}

/** Counts the current password, asked again; for each session, so that a stolen one does not stop its owner's. */
export function countPasswordTry(ctx: Context, email: string, sessionId: string): Promise<Attempt> {
  const own: LimitUse[] = [
    ["passwordTrySession", sessionId],
    ["passwordTrySessionDay", sessionId],
  ];
  return count(ctx, { email }, { own, shared: [] });
}

/** Counts a code of a second factor. It comes after a right password, so that strangers do not wear an account's down. */
export function countSecondFactorTry(ctx: Context, { _id, email }: CurrentUser): Promise<Attempt> {
  return count(
    ctx,
    { email },
    { own: [["secondFactorPair", _id, ctx.address]], shared: [["secondFactorAccount", _id]] },
  );
}

/**
 * Whether a code or a link is to be mailed to this account now. Once strangers have used up those of the day, one goes out
 * every half an hour: their asking neither floods a mailbox nor keeps the owner waiting longer. What was mailed last stays
 * valid meanwhile. Throws RATE_LIMITED where too much goes out that this address has asked for.
 */
export async function mayMail(
  trx: Trx,
  { limits, address }: Pick<Context, "limits" | "address">,
  kind: "codeMail" | "linkMail",
  { email, device }: { email: string; device: Device },
): Promise<boolean> {
  if (device) return true;
  const isDue =
    (await limits.tryUse(trx, [`${kind}Account`, email])) ||
    (await limits.tryUse(trx, [`${kind}AccountLate`, email]));
  if (isDue) await limits.take(trx, [`${kind}Address`, address]);
  return isDue;
}

async function count(
  ctx: Context,
  subject: Subject,
  { own, shared }: { own: LimitUse[]; shared: LimitUse[] },
): Promise<Attempt> {
  // What is wide comes first, and the account's own count last: only what is tried then wears it down.
  const isAccounts = ([name]: LimitUse) => name.endsWith("Account");
  const uses = [...shared.filter((use) => !isAccounts(use)), ...own, ...shared.filter(isAccounts)];
  await takeAll(ctx, subject, uses);
  return {
    async succeeded() {
      await Promise.all([ctx.limits.forgive(...own), shared.length > 0 && ctx.limits.giveBack(shared)]);
    },
  };
}

async function takeAll(ctx: Context, subject: Subject, uses: LimitUse[]): Promise<void> {
  try {
    await ctx.limits.takeAll(...uses);
  } catch (error) {
    if (error instanceof AppError && error.code === "RATE_LIMITED") {
      logSecurity(ctx, "auth.limit.reached", subject, { limit: error.limit });
    }
    throw error;
  }
}

function keyOf(subject: Subject): string {
  return "email" in subject ? subject.email : subject.phone;
}

/** From one term to the next; browsers keep no cookie longer than 400 days. */
const REMEMBERED_MS = 180 * 24 * 60 * 60 * 1000;

interface Opened {
  _id: string;
  passwordHash: string;
}

/**
 * The name of the caller's device, where it has logged in to this account under its present password; otherwise null. What
 * it does wrong is counted under that name, apart from what strangers do (OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies).
 */
export function knownDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring">,
  account: Opened | null,
): string | null {
  const [name, mac] = ctx.deviceCookie.token?.split(".") ?? [];
  if (!account || !name || !mac) return null;
  return sameHash(mac, macOf(ctx, name, account)) ? name : null;
}

/** Has the browser remember, without saying of whom, that somebody has logged in to this account with it. */
export function rememberDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring" | "now">,
  account: Opened,
): void {
  if (knownDevice(ctx, account)) return;
  const name = randomBytes(16).toString("base64url");
  const expiresAt = new Date(ctx.now().getTime() + REMEMBERED_MS);
  ctx.deviceCookie.set(`${name}.${macOf(ctx, name, account)}`, expiresAt);
}

/** With a new password every device is a stranger's again: whoever knew the old one may have made many of them known. */
function macOf({ keyring }: Pick<Context, "keyring">, name: string, { _id, passwordHash }: Opened): string {
  return keyring.mac("device", `${_id} ${passwordHash} ${name}`);
}

/** Longer than the work for an account takes, with the writes and the sync to the disk that nobody's does without. */
const LEAST_MS = 150;

/**
 * Does work that is more for an account that exists than for one that does not, and settles no sooner than every
 * such work has: how long an answer takes then does not tell who has an account.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(LEAST_MS)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
