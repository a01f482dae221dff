import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Trx } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LimitUse } from "../http/rate-limit.ts";
import { sameHash } from "../lib/crypto.ts";
import { logSecurity, type Subject } from "../lib/log.ts";
import { MAIL_PRIORITIES } from "../mail/mail.service.ts";
import type { Account } from "./accounts.queries.ts";

/** The name of a device that this account knows, or null for any other. */
export type Device = string | null;

/** An attempt that counts as failed until `succeeded` is called. */
interface Attempt {
  succeeded(): Promise<void>;
}

/**
 * Part of the key of each failure count: the account's password hash. Only somebody who has proved that the account is
 * theirs can change it, and then every count starts again at zero.
 */
export function passwordGeneration(account: Pick<Account, "passwordHash" | "verified"> | null): string {
  // Anybody can sign up again with an unverified address; that must not reset the count.
  return account?.verified ? account.passwordHash : "";
}

/** Counts a login by password. A known device has its own count, so that strangers cannot block it. */
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
  const generation = passwordGeneration(account);
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

/** Counts a code that somebody enters for the account with this e-mail, phone or id. */
export function countCodeTry(
  ctx: Context,
  subject: Subject,
  { account, device }: { account: Account | null; device: Device },
): Promise<Attempt> {
  if (device) return count(ctx, subject, { own: [["otpTryDevice", device]], shared: [] });
  const { address } = ctx;
  return count(ctx, subject, {
    own: [["otpTryPair", keyOf(subject), passwordGeneration(account), address]],
    shared: [["otpTryAddress", address]],
  });
}

/** Counts a request for a code. */
export async function countCodeRequest(ctx: Context, subject: Subject, device: Device): Promise<void> {
  const uses: LimitUse[] = device
    ? [
        ["otpSendDevice", device],
        ["otpSendDeviceDay", device],
      ]
    : [
        ["otpSendAddress", ctx.address],
        ["otpSendPair", keyOf(subject), ctx.address],
      ];
  await takeAll(ctx, subject, uses);
}

/** Counts a request for a recovery link, apart from failed logins and codes. */
export async function countLinkRequest(ctx: Context, email: string, device: Device): Promise<void> {
  const uses: LimitUse[] = device
    ? [["recoveryDevice", device]]
    : [
        ["recoveryAddress", ctx.address],
        ["recoveryPair", email, ctx.address],
      ];
  await takeAll(ctx, { email }, uses);
}

/**
 * Runs a sign-up with this e-mail and counts it. One that is refused counts for the address only: it leaves no account, so
 * whoever could not sign up any more would have no other way either.
 */
export async function countSignup<T>(ctx: Context, email: string, signUp: () => Promise<T>): Promise<T> {
  const { address } = ctx;
  const ofEmail: LimitUse[] = [
    ["registerPair", email, address],
    ["registerAccount", email],
  ];
  await takeAll(ctx, { email }, [["registerAddress", address], ...ofEmail]);
  try {
    return await signUp();
  } catch (error) {
    await ctx.limits.giveBack(ofEmail);
    throw error;
  }
}

/** Counts an entry of the current password, per session: a stolen session must not block the owner's. */
export function countPasswordTry(ctx: Context, email: string, sessionId: string): Promise<Attempt> {
  const own: LimitUse[] = [
    ["passwordTrySession", sessionId],
    ["passwordTrySessionDay", sessionId],
  ];
  return count(ctx, { email }, { own, shared: [] });
}

/** Counts an entry of a second factor. It follows a right password, so strangers cannot use up the account's tries. */
export function countSecondFactorTry(ctx: Context, { _id, email }: CurrentUser): Promise<Attempt> {
  return count(
    ctx,
    { email },
    { own: [["secondFactorPair", _id, ctx.address]], shared: [["secondFactorAccount", _id]] },
  );
}

/**
 * Whether a code or a link may be mailed to this account now; null for an e-mail without one. Known devices have mails of
 * their own, for all of them together, because each login makes another one. After strangers have used up the day's mails,
 * one is sent every half hour: they can neither flood the mailbox nor lock the owner out. The last mailed code stays valid.
 * Throws RATE_LIMITED when the caller's address has caused too many mails, for any e-mail: otherwise the refusal would tell
 * which ones have an account.
 */
export async function isMailAllowed(
  trx: Trx,
  { limits, address }: Pick<Context, "limits" | "address">,
  kind: "codeMail" | "linkMail",
  recipient: { email: string; device: Device } | null,
): Promise<boolean> {
  if (recipient?.device && (await limits.tryUse(trx, ["deviceMailAccount", recipient.email]))) return true;
  const ofAddress: LimitUse = [`${kind}Address`, address];
  await limits.take(trx, ofAddress);
  const isDue =
    recipient !== null &&
    ((await limits.tryUse(trx, [`${kind}Account`, recipient.email])) ||
      (await limits.tryUse(trx, [`${kind}AccountLate`, recipient.email])));
  if (!isDue) await limits.giveBack([ofAddress], trx);
  return isDue;
}

/**
 * The priority of a mail to a sign-up that nobody has verified; none of its own for other accounts. It grows by the number of
 * sign-ups, codes and links that the caller's network has asked for in 15 minutes: whoever signs up with a thousand invented
 * addresses comes after all other networks.
 */
export async function mailPriority(
  trx: Trx,
  { limits, address }: Pick<Context, "limits" | "address">,
  { verified }: Pick<Account, "verified">,
): Promise<number | undefined> {
  if (verified) return undefined;
  let priority: number = MAIL_PRIORITIES.signUp;
  for (const name of ["registerAddress", "codeMailAddress", "linkMailAddress"] as const) {
    priority += await limits.uses(trx, [name, address]);
  }
  return priority;
}

async function count(
  ctx: Context,
  subject: Subject,
  { own, shared }: { own: LimitUse[]; shared: LimitUse[] },
): Promise<Attempt> {
  // The limits by address come first and the account's own last: an attempt that they refuse does not use up the
  // account's.
  const isAccounts = ([name]: LimitUse) => name.endsWith("Account");
  const uses = [...shared.filter((use) => !isAccounts(use)), ...own, ...shared.filter(isAccounts)];
  await takeAll(ctx, subject, uses);
  return {
    async succeeded() {
      await Promise.all([ctx.limits.forgive(own), shared.length > 0 && ctx.limits.giveBack(shared)]);
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

/** From one college term to the next. Browsers limit cookies to 400 days. */
const REMEMBERED_MS = 180 * DAY_MS;

interface AccountPassword {
  _id: string;
  passwordHash: string;
}

/**
 * The name of the caller's device if it has logged in to this account with the current password, otherwise null. Its
 * failures count apart from those of strangers (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
 */
export function knownDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring">,
  account: AccountPassword | null,
): string | null {
  const [name, mac] = ctx.deviceCookie.token?.split(".") ?? [];
  if (!account || !name || !mac) return null;
  return sameHash(mac, macOf(ctx, name, account)) ? name : null;
}

/** Sets a cookie that marks the browser as known to this account, without revealing which account it is. */
export function rememberDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring" | "now">,
  account: AccountPassword,
): void {
  if (knownDevice(ctx, account)) return;
  const name = randomBytes(16).toString("base64url");
  const expiresAt = new Date(ctx.now().getTime() + REMEMBERED_MS);
  ctx.deviceCookie.set(`${name}.${macOf(ctx, name, account)}`, expiresAt);
}

/** A new password makes all devices unknown again: somebody who knew the old one may have registered devices. */
function macOf(
  { keyring }: Pick<Context, "keyring">,
  name: string,
  { _id, passwordHash }: AccountPassword,
): string {
  return keyring.mac("device", `${_id} ${passwordHash} ${name}`);
}

/** Longer than the work for an existing account takes, including its writes and the fsync. */
export const MINIMUM_ANSWER_MS = 150;

/**
 * Runs `work` and settles after `minimumAnswerMs` at the earliest, so that the response time does not reveal whether an
 * account exists.
 */
export async function withMinimumTime<T>(
  { minimumAnswerMs }: Pick<Context, "minimumAnswerMs">,
  work: () => Promise<T>,
): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(minimumAnswerMs)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
