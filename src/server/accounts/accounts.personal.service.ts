import type { Trx } from "#db/transaction.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { listDevices } from "./accounts.devices.service.ts";
import { getMailChoices } from "./accounts.mail-choices.service.ts";
import { blankCustomer, deleteMailRefusals, findUser } from "./accounts.personal-queries.ts";
import { deleteSecondFactors, findSecondFactors } from "./accounts.second-factor.queries.ts";
import { deleteMailedSecrets } from "./accounts.secret-queries.ts";
import { deleteSessionsOf } from "./accounts.session-queries.ts";
import { listStaffAccounts } from "./accounts.staff.service.ts";

/** What staff read where an order had a student's name. */
const NOBODY = "Deleted account";

/** What the user's account holds, without what opens it. */
export async function exportAccount(ctx: Context<SignedIn>) {
  const user = await findUser(ctx.readDb, ctx.actor.user._id);
  const devices = await listDevices(ctx);
  return {
    fullName: user.full_name,
    email: user.email,
    phone: user.phone,
    role: user.role,
    signedUpAt: user.created_at,
    verifiedAt: user.verified_at,
    termsAcceptedAt: user.terms_accepted_at,
    secondFactors: await exportSecondFactors(ctx),
    mailsWanted: await getMailChoices(ctx),
    devices: devices.map(({ name, signedInAt, lastSeenAt }) => ({ name, signedInAt, lastSeenAt })),
  };
}

/** Without the keys themselves, which open what belongs to others. */
async function exportSecondFactors(ctx: Context<SignedIn>) {
  const { totp, passkeys, recoveryCodesLeft } = await findSecondFactors(ctx.readDb, ctx.actor.user._id);
  return {
    authenticatorAppSince: totp?.createdAt ?? null,
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt })),
    recoveryCodesLeft,
  };
}

/**
 * Closes a customer's account for ever: nothing personal is left of it, and its e-mail and phone are free for a new
 * one. Only its id stays, for what refers to it. Throws FORBIDDEN for staff.
 */
export async function closeAccount(trx: Trx, { userId, at }: { userId: string; at: string }): Promise<void> {
  // No address has a colon: nobody can sign up, log in or be mailed under this one.
  const closed = await blankCustomer(trx, userId, { email: `deleted:${userId}`, fullName: NOBODY, at });
  if (!closed) throw staffFirst();
  await deleteSessionsOf(trx, userId);
  await deleteSecondFactors(trx, userId);
  await deleteMailedSecrets(trx, userId);
  await deleteMailRefusals(trx, userId);
}

/** Throws FORBIDDEN for staff: the store's work goes on without them only once somebody else has it. */
export async function refuseStaff({ actor: { user }, readDb }: Context<SignedIn>): Promise<void> {
  if (user.role === "customer") return;
  const admins = (await listStaffAccounts(readDb)).filter(({ role }) => role === "admin");
  if (user.role === "admin" && admins.length === 1) {
    throw new AppError(
      "FORBIDDEN",
      "You are the only admin of the store. Make somebody else an admin before you delete your account",
    );
  }
  throw staffFirst();
}

function staffFirst(): AppError {
  return new AppError(
    "FORBIDDEN",
    "You work for the store. Please have an admin take you off the staff before you delete your account",
  );
}
