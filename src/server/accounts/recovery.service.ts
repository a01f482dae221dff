import { type Trx, transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { LINK_MINUTES, type ResetPasswordInput } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { newToken, sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { recoveryMail } from "./accounts.mails.ts";
import {
  type Account,
  findAccount,
  lockAccount,
  updatePassword,
  verifyByEmailOnly,
} from "./accounts.queries.ts";
import {
  consumePasswordReset,
  deleteCodesAndLinks,
  findPasswordReset,
  replacePasswordReset,
} from "./codes.queries.ts";
import {
  countLinkRequest,
  type Device,
  isMailAllowed,
  knownDevice,
  mailPriority,
  rememberDevice,
  withMinimumTime,
} from "./login-attempts.ts";
import { hashPasswordFor } from "./passwords.ts";
import { deleteSessionsOf } from "./sessions.queries.ts";

const LINK_LIFETIME_MS = LINK_MINUTES * MINUTE_MS;

/** Mails a link to reset the password. Answers the same when the account does not exist. */
export async function requestPasswordLink(ctx: Context, input: { email: string }) {
  const { email } = input;
  const device = knownDevice(ctx, await findAccount(ctx.readDb, { email }));
  await countLinkRequest(ctx, email, device);
  await withMinimumTime(ctx, () => transact(ctx.db, (trx) => storePasswordLink(trx, ctx, { email, device })));
  return { email: input.email };
}

async function storePasswordLink(
  trx: Trx,
  ctx: Context,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const account = await lockAccount(trx, { email });
  const isAllowed = await isMailAllowed(trx, ctx, "linkMail", account && { email, device });
  if (!account || !isAllowed) return;
  const token = await issuePasswordToken(trx, ctx, account);
  const url = `${ctx.publicUrl()}/reset-password?token=${token}`;
  const mail = recoveryMail({ to: account.email, fullName: account.fullName, url });
  await queueMail(trx, ctx, { ...mail, priority: await mailPriority(trx, ctx, account) });
}

/** Creates a token that sets a new password once, within half an hour; it replaces the account's earlier tokens. */
export async function issuePasswordToken(
  trx: Trx,
  { now }: Pick<Context, "now">,
  { _id: userId }: Pick<Account, "_id">,
): Promise<string> {
  const token = newToken();
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS).toISOString();
  await replacePasswordReset(trx, { tokenHash: sha256(token), userId, expiresAt });
  return token;
}

/** Whether a mailed link still sets a new password. */
export async function isPasswordLinkValid(ctx: Context, { token }: { token: string }): Promise<boolean> {
  return Boolean(await findPasswordReset(ctx.readDb, sha256(token), ctx.now().toISOString()));
}

/**
 * Sets a new password with a mailed link, which works once. Ends all sessions of the account and the one of the browser, and
 * voids the account's codes. The browser becomes a known device, because its user can read the account's mail.
 */
export async function resetPassword(ctx: Context, input: ResetPasswordInput): Promise<null> {
  const tokenHash = sha256(input.token);
  const userId = await findPasswordReset(ctx.readDb, tokenHash, ctx.now().toISOString());
  const account = userId ? await findAccount(ctx.readDb, { id: userId }) : null;
  if (!account) throw linkExpired();
  const passwordHash = await hashPasswordFor(account, input.password);
  const done = await transact(ctx.db, (trx) => storeNewPassword(trx, ctx, tokenHash, passwordHash));
  if (!done) throw linkExpired();
  logSecurity(ctx, "auth.password.reset", account);
  // It may be somebody else's.
  if (ctx.cookie.token) await ctx.sessions.end(ctx.cookie.token);
  ctx.cookie.clear();
  rememberDevice(ctx, { _id: account._id, passwordHash });
  return null;
}

async function storeNewPassword(
  trx: Trx,
  ctx: Context,
  tokenHash: string,
  passwordHash: string,
): Promise<Account | null> {
  const now = ctx.now().toISOString();
  const userId = await consumePasswordReset(trx, tokenHash, now);
  if (!userId) return null;
  const account = await lockAccount(trx, { id: userId });
  if (!account) return null;
  await verifyByEmailOnly(trx, account, now);
  await updatePassword(trx, userId, passwordHash);
  await deleteCodesAndLinks(trx, userId);
  await deleteSessionsOf(trx, userId);
  return account;
}

function linkExpired(): AppError {
  return new AppError("INVALID_INPUT", "This link is no longer valid. Please ask for a new one");
}
