import { randomBytes, randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { INVITATION_DAYS, type InviteInput } from "#shared/schemas/staff.ts";
import { findVerifiedUser } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../keyring.ts";
import { queueMail } from "../mail/mail.service.ts";
import { asStaff } from "./staff.access.service.ts";
import { auditedDuties, auditedShop, checkDuties, type Duties, mayGive } from "./staff.duties.service.ts";
import {
  deleteInvitation,
  findInvitation,
  type InvitationRecord,
  replaceInvitation,
} from "./staff.invitation-queries.ts";
import { invitationMail } from "./staff.mails.ts";
import { findShopIdsOf } from "./staff.queries.ts";

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
  ctx.wakeMail();
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
  ctx.wakeMail();
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
