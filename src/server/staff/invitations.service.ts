import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
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
import type { Context, Deps, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { newToken, sha256 } from "../lib/crypto.ts";
import { logSecurity } from "../lib/log.ts";
import { deletePersonalMails, queueMail } from "../mail/mail.service.ts";
import { listShopNames } from "../shops/shops.service.ts";
import {
  asStaff,
  auditAssignment,
  auditShop,
  canAssign,
  checkAssignment,
  type RoleAssignment,
} from "./access.service.ts";
import { invitationMail } from "./staff.mails.ts";
import {
  addShopsOf,
  deleteInvitation,
  deleteInvitationsBefore,
  deleteInvitationsTo,
  deleteNonCounterInvitations,
  findInvitation,
  findShopIdsOf,
  type InvitationRecord,
  removeShopsFromInvitations,
  replaceInvitation,
} from "./staff.queries.ts";

const LIFETIME_MS = INVITATION_DAYS * DAY_MS;
/** How long the console shows that an invitation has ended. */
const ENDED_KEPT_MS = 30 * DAY_MS;

interface Invitation {
  email: string;
  assignment: RoleAssignment;
  /** The account whose rights the invitation depends on. */
  invitedBy: string;
}

/**
 * Mails an invitation; it replaces an earlier one from the same inviter to the same address. Throws FORBIDDEN when the
 * inviter may not give this role, CONFLICT when the person already has it, and RATE_LIMITED for an owner.
 */
export async function inviteStaff(
  ctx: Context<StaffMember>,
  { email, ...assignment }: InviteInput,
): Promise<void> {
  await countInvitation(ctx, email);
  const invitedBy = ctx.actor.user._id;
  await transact(ctx.db, (trx) =>
    storeInvitation(trx, ctx, { email, assignment, invitedBy }, "staff.invite"),
  );
}

/** Mails an invitation again; the new link replaces the old one. */
export async function resendInvitation(ctx: Context<StaffMember>, input: { id: string }): Promise<void> {
  const { email } = await requireManageableInvitation(ctx.readDb, ctx, input.id);
  await countInvitation(ctx, email);
  await transact(ctx.db, async (trx) => {
    const invitation = await requireManageableInvitation(trx, ctx, input.id);
    if (!(await deleteInvitation(trx, input.id))) notPending();
    const { role, shopIds } = invitation;
    // It keeps its inviter; otherwise it would replace the sender's own invitation to this address.
    const invitedBy = (await isInviterAllowed(trx, invitation)) ? invitation.invitedBy : ctx.actor.user._id;
    await storeInvitation(trx, ctx, { email, assignment: { role, shopIds }, invitedBy }, "staff.reinvite");
  });
}

/** Without a limit, a shop owner could send any number of mails to anybody. */
async function countInvitation({ actor, limits }: Context<StaffMember>, email: string): Promise<void> {
  if (actor.user.role === "admin") return;
  await limits.takeAll(["invitingOwner", actor.user._id], ["invitingRecipient", email]);
}

async function storeInvitation(
  trx: Trx,
  ctx: Context<StaffMember>,
  { email, assignment, invitedBy }: Invitation,
  action: "staff.invite" | "staff.reinvite",
): Promise<void> {
  const { user: inviter } = ctx.actor;
  const { role, shopIds, shops } = await checkAssignment(trx, ctx.actor, assignment);
  const id = randomUUID();
  const token = newToken();
  await replaceInvitation(trx, {
    id,
    email,
    role,
    shopIds,
    tokenHash: sha256(token),
    invitedBy,
    createdAt: ctx.now().toISOString(),
    expiresAt: new Date(ctx.now().getTime() + LIFETIME_MS).toISOString(),
  });
  // Checked after the replacement: the person may have joined by the earlier invitation in the meantime.
  await refuseExistingStaff(trx, ctx, { email, shopIds });
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
    ...auditShop(shopIds),
    after: auditAssignment({ role, shopIds }, shops),
  });
}

/**
 * Throws CONFLICT when the invited person is on the staff already. Owners only learn this about people in their own
 * shops.
 */
async function refuseExistingStaff(
  trx: Trx,
  { actor }: Context<StaffMember>,
  { email, shopIds }: { email: string; shopIds: string[] },
): Promise<void> {
  const user = await findVerifiedUser(trx, { email });
  if (!user || user.role === "customer") return;
  if (actor.user.role === "admin") {
    throw new AppError(
      "CONFLICT",
      `${user.fullName} is already on the staff. Change their role or shops instead`,
    );
  }
  const theirs = await findShopIdsOf(trx, user._id);
  if (shopIds.some((id) => theirs.includes(id))) {
    throw new AppError("CONFLICT", `${user.fullName} already works there. Change their shops instead`);
  }
}

/** Withdraws an invitation; its link no longer works. */
export async function withdrawInvitation(ctx: Context<StaffMember>, input: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeWithdrawal(trx, ctx, input.id));
}

async function storeWithdrawal(trx: Trx, ctx: Context<StaffMember>, id: string): Promise<void> {
  const { email, role, shopIds } = await requireManageableInvitation(trx, ctx, id);
  if (!(await deleteInvitation(trx, id))) notPending();
  await recordAudit(trx, ctx, {
    action: "staff.withdraw",
    subject: { id, name: email },
    ...auditShop(shopIds),
    before: { role },
  });
}

/** Deletes the invitations to this address; for one that is no account's any more. */
export function deletePersonalInvitations(trx: Trx, email: string): Promise<void> {
  return deleteInvitationsTo(trx, email);
}

/** The invitation, if the caller may manage it; otherwise it looks as if it did not exist. */
async function requireManageableInvitation(
  db: Db | Trx,
  { actor }: Context<StaffMember>,
  id: string,
): Promise<InvitationRecord> {
  const invitation = await findInvitation(db, { id });
  return invitation && canAssign(actor, invitation) ? invitation : notPending();
}

/**
 * Whether the inviter may still give this role. An inviter who loses a role or shop voids the links that depended on
 * it.
 */
async function isInviterAllowed(db: Db | Trx, invitation: InvitationRecord): Promise<boolean> {
  const inviter = await findVerifiedUser(db, { id: invitation.invitedBy });
  if (!inviter || inviter.role === "customer") return false;
  return canAssign(await asStaff({ readDb: db }, inviter), invitation);
}

function notPending(): never {
  throw new AppError("NOT_FOUND", "This invitation was already accepted or withdrawn");
}

/** Prepared before the transaction, because hashing a password is slow. */
interface NewMember {
  /** Set when the person has no account yet. */
  account: Awaited<ReturnType<typeof prepareStaffAccount>> | null;
  /** Set when a student joins and chooses a new password. */
  passwordHash: string | null;
}

/** What the person with the link sees about the invitation. */
interface InvitationDetails {
  email: string;
  role: StaffRole;
  shops: string[];
  /** The name on the account that already has this address. */
  fullName: string | null;
  /** Whether the account is a student's, who must choose a new password to join the staff. */
  asksNewPassword: boolean;
}

export async function readInvitation(ctx: Context, { token }: { token: string }): Promise<InvitationDetails> {
  const { email, role, shopIds } = await findValidInvitation(ctx.readDb, ctx, token);
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

/** Joins the staff with a mailed link, which works once, and logs in: whoever has the link reads that mailbox. */
export async function acceptInvitation(ctx: Context, input: AcceptInvitationInput): Promise<CurrentUser> {
  const { email, role } = await findValidInvitation(ctx.readDb, ctx, input.token);
  const known = await findVerifiedUser(ctx.readDb, { email });
  const joining: NewMember = {
    account:
      !known && input.account ? await prepareStaffAccount(ctx, { ...input.account, email, role }) : null,
    passwordHash:
      known?.role === "customer" && input.newPassword
        ? await hashNewStaffPassword(input.newPassword.password, known)
        : null,
  };
  const user = await transact(ctx.db, (trx) => storeMember(trx, ctx, input.token, joining));
  logSecurity(ctx, "staff.role.changed", user, { from: known?.role ?? "nobody", to: user.role });
  return openSession(ctx, user, { isConfirmed: joining.account !== null || joining.passwordHash !== null });
}

async function storeMember(
  trx: Trx,
  ctx: Context,
  token: string,
  { account, passwordHash }: NewMember,
): Promise<CurrentUser> {
  const invitation = await findValidInvitation(trx, ctx, token);
  if (!(await deleteInvitation(trx, invitation.id))) throw linkExpired();
  const { email, role, shopIds } = invitation;
  const known = await lockVerifiedUser(trx, { email });
  const user = known
    ? await giveRole(trx, known, { role, passwordHash })
    : await createStaffAccount(trx, account ?? missingAccount());
  await addShopsOf(trx, { userId: user._id, shopIds, now: ctx.now().toISOString() });
  await cleanUpInvitations(trx, { email, role, shopIds });
  await recordAudit(
    trx,
    { now: ctx.now, actor: { kind: "user", user } },
    {
      action: "staff.accept",
      subject: { id: user._id, name: user.fullName },
      ...auditShop(shopIds),
      ...(known && { before: { email, role: known.role } }),
      after: { email, ...auditAssignment({ role, shopIds }, await listShopNames(trx, shopIds)) },
    },
  );
  return user;
}

/**
 * Deletes the person's other invitations, so that somebody removed from the staff cannot return by an older link.
 * Counter staff keep invitations to the counter of more shops.
 */
async function cleanUpInvitations(
  trx: Trx,
  { email, role, shopIds }: Pick<InvitationRecord, "email" | "role" | "shopIds">,
): Promise<void> {
  if (role !== "counter") return deleteInvitationsTo(trx, email);
  await deleteNonCounterInvitations(trx, email);
  await removeShopsFromInvitations(trx, { email, shopIds });
}

/**
 * Gives a customer the role and a new password; counter staff may join the counter of more shops. Throws CONFLICT for
 * anybody else, because a person has one role.
 */
async function giveRole(
  trx: Trx,
  user: CurrentUser,
  { role, passwordHash }: { role: StaffRole; passwordHash: string | null },
): Promise<CurrentUser> {
  if (user.role === "counter" && role === "counter") return user;
  const moved = await assignRole(trx, { userId: user._id, from: "customer", to: role });
  if (!moved) {
    throw new AppError(
      "CONFLICT",
      `You are already on the staff, as ${user.role}. Please ask an admin to change that, or join with another email`,
    );
  }
  await setStaffPassword(trx, user._id, passwordHash ?? missingPassword());
  return { ...user, role };
}

async function findValidInvitation(db: Db | Trx, { now }: Context, token: string): Promise<InvitationRecord> {
  const invitation = await findInvitation(db, { token_hash: sha256(token) });
  if (!invitation || invitation.expiresAt <= now().toISOString()) throw linkExpired();
  if (!(await isInviterAllowed(db, invitation))) throw linkExpired();
  return invitation;
}

function linkExpired(): AppError {
  return new AppError("NOT_FOUND", "This invitation is no longer valid. Please ask for a new one");
}

function missingPassword(): never {
  throw new AppError("INVALID_INPUT", "Please choose a new password for your staff account");
}

function missingAccount(): never {
  throw new AppError("INVALID_INPUT", "Please enter your name and a password");
}

/** Deletes invitations thirty days after their end, and the mails to people who never got an account. */
export async function deleteEndedInvitations({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - ENDED_KEPT_MS).toISOString();
  await transact(db, async (trx) => {
    for (const email of await deleteInvitationsBefore(trx, before)) await deletePersonalMails(trx, email);
  });
}
