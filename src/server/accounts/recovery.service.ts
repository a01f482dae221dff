import { randomBytes } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import type { ResetPasswordInput } from "#shared/schemas/accounts.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { recoveryMail } from "./accounts.mails.ts";
import { type Account, claimAddress, findAccount, holdAccount, updatePassword } from "./accounts.queries.ts";
import {
  countLinkRequest,
  type Device,
  inEvenTime,
  knownDevice,
  mayMail,
  rememberDevice,
} from "./login-attempts.ts";
import { hashPasswordOf } from "./passwords.ts";
import {
  deleteMailedSecrets,
  findPasswordReset,
  replacePasswordReset,
  takePasswordReset,
} from "./secrets.queries.ts";
import { deleteSessionsOf } from "./sessions.queries.ts";
import { LINK_MINUTES } from "./sessions.ts";

const LINK_LIFETIME_MS = LINK_MINUTES * 60 * 1000;

/** Mails a link that changes the password. Answers the same when there is no such account. */
export async function requestPasswordLink(ctx: Context, input: { email: string }) {
  const { email } = input;
  const device = knownDevice(ctx, await findAccount(ctx.readDb, { email }));
  await countLinkRequest(ctx, email, device);
  await inEvenTime(() => transact(ctx.db, (trx) => storePasswordLink(trx, ctx, { email, device })));
  return { email: input.email };
}

async function storePasswordLink(
  trx: Trx,
  ctx: Context,
  { email, device }: { email: string; device: Device },
): Promise<void> {
  const account = await holdAccount(trx, { email });
  if (!account || !(await mayMail(trx, ctx, "linkMail", { email, device }))) return;
  const token = await issuePasswordToken(trx, ctx, account);
  const url = `${ctx.publicUrl()}/reset-password?token=${token}`;
  await queueMail(trx, ctx, recoveryMail({ to: account.email, fullName: account.fullName, url }));
}

/** Makes what sets a new password once, for half an hour; earlier ones of the account no longer work. */
export async function issuePasswordToken(
  trx: Trx,
  { now }: Pick<Context, "now">,
  { _id: userId }: Pick<Account, "_id">,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_MS).toISOString();
  await replacePasswordReset(trx, { tokenHash: sha256(token), userId, expiresAt });
  return token;
}

/**
 * Sets a new password by a mailed link, which works once. It ends every session of the account and voids its codes; the
 * browser is one that the account knows, as is one that logged in: who holds the link reads the account's mail.
 */
export async function resetPassword(ctx: Context, input: ResetPasswordInput): Promise<null> {
  const tokenHash = sha256(input.token);
  const userId = await findPasswordReset(ctx.readDb, tokenHash, ctx.now().toISOString());
  const account = userId ? await findAccount(ctx.readDb, { id: userId }) : null;
  if (!account) throw deadLink();
  const passwordHash = await hashPasswordOf(account, input.password);
  const done = await transact(ctx.db, (trx) => storeNewPassword(trx, ctx, tokenHash, passwordHash));
  if (!done) throw deadLink();
  logSecurity(ctx, "auth.password.reset", account);
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
  const userId = await takePasswordReset(trx, tokenHash, now);
  if (!userId) return null;
  const account = await holdAccount(trx, { id: userId });
  if (!account) return null;
  await claimAddress(trx, account, now);
  await updatePassword(trx, userId, passwordHash);
  await deleteMailedSecrets(trx, userId);
  await deleteSessionsOf(trx, userId);
  return account;
}

function deadLink(): AppError {
  return new AppError("INVALID_INPUT", "This link is no longer valid. Please ask for a new one");
}
