import type { Trx } from "#db/transaction.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LimitUse } from "../limits.ts";
import { logSecurity, type Subject } from "../security-log.ts";

/** Where an attempt comes from: the name of a device that the account knows, or null for anybody. */
export type Device = string | null;

/** An attempt that was counted as a failure; once it is known to be none, it is not counted. */
interface Attempt {
  succeeded(): Promise<void>;
}

/** Counts a login by password. A known device has counts of its own, so that no stranger stops it. */
export function countLogin(ctx: Context, email: string, device: Device): Promise<Attempt> {
  const { address } = ctx;
  if (device) {
    const own: LimitUse[] = [
      ["loginDevice", device],
      ["loginDeviceDay", device],
    ];
    return count(ctx, { email }, { own, shared: [] });
  }
  return count(
    ctx,
    { email },
    {
      own: [
        ["loginPair", email, address],
        ["loginPairDay", email, address],
      ],
      shared: [
        ["loginAddress", address],
        ["loginAddressDay", address],
        ["loginAccount", email],
      ],
    },
  );
}

/** Counts a code that is entered, for an account that is named by its e-mail, its phone or its id. */
export function countCodeTry(ctx: Context, subject: Subject, device: Device): Promise<Attempt> {
  const { address } = ctx;
  if (device) return count(ctx, subject, { own: [["otpTryDevice", device]], shared: [] });
  return count(ctx, subject, {
    own: [["otpTryPair", keyOf(subject), address]],
    shared: [["otpTryAddress", address]],
  });
}

/** Counts a code that is asked for. */
export async function countCodeRequest(ctx: Context, subject: Subject, device: Device): Promise<void> {
  const who = keyOf(subject);
  const uses: LimitUse[] = device
    ? [
        ["otpSendDevice", device],
        ["otpSendDeviceDay", device],
      ]
    : [
        ["otpSendAddress", ctx.address],
        ["otpSendPair", who, ctx.address],
        ["otpSendPairDay", who, ctx.address],
      ];
  await takeAll(ctx, subject, uses);
}

/** Counts a recovery link that is asked for; failed logins and codes have no part in it. */
export async function countLinkRequest(ctx: Context, email: string, device: Device): Promise<void> {
  const uses: LimitUse[] = device
    ? [["recoveryDevice", device]]
    : [
        ["recoveryAddress", ctx.address],
        ["recoveryPair", email, ctx.address],
        ["recoveryPairDay", email, ctx.address],
      ];
  await takeAll(ctx, { email }, uses);
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
 * valid meanwhile.
 */
export async function mayMail(
  trx: Trx,
  { limits }: Pick<Context, "limits">,
  kind: "codeMail" | "linkMail",
  { email, device }: { email: string; device: Device },
): Promise<boolean> {
  if (device) return true;
  return (
    (await limits.tryUse(trx, [`${kind}Account`, email])) ||
    (await limits.tryUse(trx, [`${kind}AccountLate`, email]))
  );
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
