import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser, StaffRole } from "#shared/schemas/accounts.ts";
import type { AcceptInvitationInput } from "#shared/schemas/staff.ts";
import { openSession } from "../accounts/accounts.login.service.ts";
import {
  findVerifiedUser,
  holdVerifiedUser,
  moveRole,
  openStaffAccount,
  prepareStaffAccount,
  prepareStaffPassword,
  replaceWithStaffPassword,
} from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../keyring.ts";
import { logSecurity } from "../security-log.ts";
import { listShopNames } from "../shops/shops.service.ts";
import { auditedDuties, auditedShop } from "./staff.duties.service.ts";
import {
  deleteInvitation,
  deleteInvitationsTo,
  deleteOtherInvitationsTo,
  findInvitation,
  type InvitationRecord,
  takeShopsOutOfInvitations,
} from "./staff.invitation-queries.ts";
import { isStillGiven } from "./staff.invitations.service.ts";
import { addShopsOf } from "./staff.queries.ts";

/** Made before the transaction, because a password takes its time. */
interface Joining {
  /** Of who has none yet. */
  account: Awaited<ReturnType<typeof prepareStaffAccount>> | null;
  /** Of who has an account. */
  passwordHash: string | null;
}

/** What an invitation says to who holds its link. */
export interface InvitationNews {
  email: string;
  role: StaffRole;
  shops: string[];
  /** Of the account that the address has already. */
  fullName: string | null;
  /** Whether it is a student's, who chooses a new password for the staff. */
  asksNewPassword: boolean;
}

export async function readInvitation(ctx: Context, { token }: { token: string }): Promise<InvitationNews> {
  const { email, role, shopIds } = await findLiving(ctx.readDb, ctx, token);
  const user = await findVerifiedUser(ctx.readDb, { email });
  const shops = await listShopNames(ctx.readDb, shopIds);
  return {
    email,
    role,
    shops: shops.map((shop) => shop.name),
    fullName: user?.fullName ?? null,
    asksNewPassword: user?.role === "customer",
  };
}

/** Joins the staff by a mailed link, which works once, and logs in: who holds the link reads the address's mail. */
export async function acceptInvitation(ctx: Context, input: AcceptInvitationInput): Promise<CurrentUser> {
  const { email, role } = await findLiving(ctx.readDb, ctx, input.token);
  const known = await findVerifiedUser(ctx.readDb, { email });
  const joining: Joining = {
    account:
      !known && input.account ? await prepareStaffAccount(ctx, { ...input.account, email, role }) : null,
    passwordHash:
      known?.role === "customer" && input.newPassword
        ? await prepareStaffPassword(input.newPassword.password, known)
        : null,
  };
  const user = await transact(ctx.db, (trx) => storeJoining(trx, ctx, input.token, joining));
  logSecurity(ctx, "staff.role.changed", user, { from: known?.role ?? "nobody", to: user.role });
  return openSession(ctx, user, { isConfirmed: joining.account !== null || joining.passwordHash !== null });
}

async function storeJoining(
  trx: Trx,
  ctx: Context,
  token: string,
  { account, passwordHash }: Joining,
): Promise<CurrentUser> {
  const invitation = await findLiving(trx, ctx, token);
  if (!(await deleteInvitation(trx, invitation.id))) throw deadLink();
  const { email, role, shopIds } = invitation;
  const known = await holdVerifiedUser(trx, { email });
  const user = known
    ? await promote(trx, known, { role, passwordHash })
    : await openStaffAccount(trx, account ?? missingAccount());
  await addShopsOf(trx, { userId: user._id, shopIds, now: ctx.now().toISOString() });
  await endOtherInvitations(trx, { email, role, shopIds });
  await recordAudit(
    trx,
    { now: ctx.now, actor: { kind: "user", user } },
    {
      action: "staff.accept",
      subject: { id: user._id, name: user.fullName },
      ...auditedShop(shopIds),
      ...(known && { before: { email, role: known.role } }),
      after: { email, ...auditedDuties({ role, shopIds }, await listShopNames(trx, shopIds)) },
    },
  );
  return user;
}

/**
 * Who is taken off the staff later must not come back by an older link of somebody else. Counter staff keep invitations to
 * the counter of more shops.
 */
async function endOtherInvitations(
  trx: Trx,
  { email, role, shopIds }: Pick<InvitationRecord, "email" | "role" | "shopIds">,
): Promise<void> {
  if (role !== "counter") return deleteInvitationsTo(trx, email);
  await deleteOtherInvitationsTo(trx, email);
  await takeShopsOutOfInvitations(trx, { email, shopIds });
}

/**
 * A customer gets the role and a new password, and counter staff of some shops may get the counter of more. Everybody else
 * keeps what they have: a person has one role.
 */
async function promote(
  trx: Trx,
  user: CurrentUser,
  { role, passwordHash }: { role: StaffRole; passwordHash: string | null },
): Promise<CurrentUser> {
  if (user.role === "counter" && role === "counter") return user;
  const moved = await moveRole(trx, { userId: user._id, from: "customer", to: role });
  if (!moved) {
    throw new AppError(
      "CONFLICT",
      `You are on the staff already, as ${user.role}. Please ask an admin to change that, or join with another e-mail`,
    );
  }
  await replaceWithStaffPassword(trx, user._id, passwordHash ?? missingPassword());
  return { ...user, role };
}

async function findLiving(db: Db | Trx, { now }: Context, token: string): Promise<InvitationRecord> {
  const invitation = await findInvitation(db, { token_hash: sha256(token) });
  if (!invitation || invitation.expiresAt <= now().toISOString()) throw deadLink();
  if (!(await isStillGiven(db, invitation))) throw deadLink();
  return invitation;
}

function deadLink(): AppError {
  return new AppError("NOT_FOUND", "This invitation is no longer valid. Please ask for a new one");
}

function missingPassword(): never {
  throw new AppError("INVALID_INPUT", "Please choose a password for the staff");
}

function missingAccount(): never {
  throw new AppError("INVALID_INPUT", "Please give your name and a password");
}
