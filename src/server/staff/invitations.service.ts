import { randomBytes, randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { CurrentUser, StaffRole } from "#shared/schemas/accounts.ts";
import { type AcceptInvitationInput, INVITATION_DAYS, type InviteInput } from "#shared/schemas/staff.ts";
import {
  assignRole,
  createStaffAccount,
  findVerifiedUser,
  hashNewStaffPassword,
  lockVerifiedUser,
  prepareStaffAccount,
  setStaffPassword,
} from "../accounts/admin.service.ts";
import { openSession } from "../accounts/login.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { queueMail } from "../mail/mail.service.ts";
import { listShopNames } from "../shops/shops.service.ts";
import { asStaff, auditedDuties, auditedShop, checkDuties, type Duties, mayGive } from "./access.service.ts";
import { invitationMail } from "./staff.mails.ts";
import {
  addShopsOf,
  deleteInvitation,
  deleteInvitationsTo,
  deleteOtherInvitationsTo,
  findInvitation,
  findShopIdsOf,
  type InvitationRecord,
  replaceInvitation,
  takeShopsOutOfInvitations,
} from "./staff.queries.ts";

const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000;

interface Invitation {
  email: string;
  duties: Duties;
}

/**
 * Mails an invitation; an earlier one of the same inviter to the same address no longer works. Throws FORBIDDEN for
 * duties that the inviter may not give, CONFLICT for who has them already, and RATE_LIMITED for an owner.
 */
export async function inviteStaff(
  ctx: Context<StaffMember>,
  { email, ...duties }: InviteInput,
): Promise<void> {
  await countInvitation(ctx, email);
  await transact(ctx.db, (trx) => storeInvitation(trx, ctx, { email, duties }, "staff.invite"));
}

/** Mails an invitation again, with a new link in place of the old one. */
export async function reinviteStaff(ctx: Context<StaffMember>, input: { id: string }): Promise<void> {
  const { email } = await requireGivable(ctx.readDb, ctx, input.id);
  await countInvitation(ctx, email);
  await transact(ctx.db, async (trx) => {
    const { role, shopIds } = await requireGivable(trx, ctx, input.id);
    if (!(await deleteInvitation(trx, input.id))) notWaiting();
    await storeInvitation(trx, ctx, { email, duties: { role, shopIds } }, "staff.reinvite");
  });
}

/** Who owns a shop could otherwise mail anybody as often as they like. */
async function countInvitation({ actor, limits }: Context<StaffMember>, email: string): Promise<void> {
  if (actor.user.role === "admin") return;
  await limits.takeAll(["invitingOwner", actor.user._id], ["invitingRecipient", email]);
}

async function storeInvitation(
  trx: Trx,
  ctx: Context<StaffMember>,
  { email, duties }: Invitation,
  action: "staff.invite" | "staff.reinvite",
): Promise<void> {
  const { user: inviter } = ctx.actor;
  const { role, shopIds, shops } = await checkDuties(trx, ctx.actor, duties);
  const id = randomUUID();
  const token = randomBytes(32).toString("base64url");
  await replaceInvitation(trx, {
    id,
    email,
    role,
    shopIds,
    tokenHash: sha256(token),
    invitedBy: inviter._id,
    createdAt: ctx.now().toISOString(),
    expiresAt: new Date(ctx.now().getTime() + LIFETIME_MS).toISOString(),
  });
  // Only now: whoever joined by the invitation that this one replaces is on the staff by now.
  await refuseColleague(trx, ctx, { email, shopIds });
  const mail = invitationMail({
    to: email,
    invitedBy: { name: inviter.fullName, role: inviter.role },
    role,
    shops: shops.map((shop) => shop.name),
    url: `${ctx.publicUrl()}/admin/join?token=${token}`,
  });
  await queueMail(trx, ctx, mail);
  await recordAudit(trx, ctx, {
    action,
    subject: { id, name: email },
    ...auditedShop(shopIds),
    after: auditedDuties({ role, shopIds }, shops),
  });
}

/** An owner is told of those only who work at the same shops: who else is on the staff is nothing to them. */
async function refuseColleague(
  trx: Trx,
  { actor }: Context<StaffMember>,
  { email, shopIds }: { email: string; shopIds: string[] },
): Promise<void> {
  const user = await findVerifiedUser(trx, { email });
  if (!user || user.role === "customer") return;
  if (actor.user.role === "admin") {
    throw new AppError(
      "CONFLICT",
      `${user.fullName} is on the staff already. Change their role or shops instead`,
    );
  }
  const theirs = await findShopIdsOf(trx, user._id);
  if (shopIds.some((id) => theirs.includes(id))) {
    throw new AppError("CONFLICT", `${user.fullName} works there already. Change their shops instead`);
  }
}

/** Takes an invitation back: its link no longer works. */
export async function withdrawInvitation(ctx: Context<StaffMember>, input: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeWithdrawal(trx, ctx, input.id));
}

async function storeWithdrawal(trx: Trx, ctx: Context<StaffMember>, id: string): Promise<void> {
  const { email, role, shopIds } = await requireGivable(trx, ctx, id);
  if (!(await deleteInvitation(trx, id))) notWaiting();
  await recordAudit(trx, ctx, {
    action: "staff.withdraw",
    subject: { id, name: email },
    ...auditedShop(shopIds),
    before: { role },
  });
}

/** An invitation that the caller could have sent; to others it does not exist. */
async function requireGivable(
  db: Db | Trx,
  { actor }: Context<StaffMember>,
  id: string,
): Promise<InvitationRecord> {
  const invitation = await findInvitation(db, { id });
  return invitation && mayGive(actor, invitation) ? invitation : notWaiting();
}

/** Whether who sent an invitation may still do so: with their role or shops the links that they sent lose their force. */
export async function isStillGiven(db: Db | Trx, invitation: InvitationRecord): Promise<boolean> {
  const inviter = await findVerifiedUser(db, { id: invitation.invitedBy });
  if (!inviter || inviter.role === "customer") return false;
  return mayGive(await asStaff({ readDb: db }, inviter), invitation);
}

function notWaiting(): never {
  throw new AppError("NOT_FOUND", "This invitation waits no longer: it was accepted or withdrawn");
}

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
        ? await hashNewStaffPassword(input.newPassword.password, known)
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
  const known = await lockVerifiedUser(trx, { email });
  const user = known
    ? await promote(trx, known, { role, passwordHash })
    : await createStaffAccount(trx, account ?? missingAccount());
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
  const moved = await assignRole(trx, { userId: user._id, from: "customer", to: role });
  if (!moved) {
    throw new AppError(
      "CONFLICT",
      `You are on the staff already, as ${user.role}. Please ask an admin to change that, or join with another e-mail`,
    );
  }
  await setStaffPassword(trx, user._id, passwordHash ?? missingPassword());
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
