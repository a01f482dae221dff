import { randomBytes, randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { INVITATION_DAYS, type InviteInput } from "#shared/schemas/staff.ts";
import { findVerifiedUser } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../keyring.ts";
import { queueMail } from "../mail/mail.service.ts";
import { auditedDuties, checkDuties, type Duties } from "./staff.duties.service.ts";
import { deleteInvitation, findInvitation, replaceInvitation } from "./staff.invitation-queries.ts";
import { invitationMail } from "./staff.mails.ts";

const LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60 * 1000;

interface Invitation {
  email: string;
  duties: Duties;
}

/** Mails an invitation. An earlier one to the same address no longer works. Throws CONFLICT for who is on the staff. */
export async function inviteStaff(ctx: Context<Admin>, { email, ...duties }: InviteInput): Promise<void> {
  await transact(ctx.db, (trx) => storeInvitation(trx, ctx, { email, duties }, "staff.invite"));
  ctx.wakeMail();
}

/** Mails an invitation again, with a new link in place of the old one. */
export async function reinviteStaff(ctx: Context<Admin>, input: { id: string }): Promise<void> {
  const { email, role, shopIds } = (await findInvitation(ctx.readDb, input)) ?? notWaiting();
  const duties = { role, shopIds };
  await transact(ctx.db, (trx) => storeInvitation(trx, ctx, { email, duties }, "staff.reinvite"));
  ctx.wakeMail();
}

async function storeInvitation(
  trx: Trx,
  ctx: Context<Admin>,
  { email, duties }: Invitation,
  action: "staff.invite" | "staff.reinvite",
): Promise<void> {
  const { role, shopIds, shops } = await checkDuties(trx, duties);
  const id = randomUUID();
  const token = randomBytes(32).toString("base64url");
  await replaceInvitation(trx, {
    id,
    email,
    role,
    shopIds,
    tokenHash: sha256(token),
    invitedBy: ctx.actor.user._id,
    createdAt: ctx.now().toISOString(),
    expiresAt: new Date(ctx.now().getTime() + LIFETIME_MS).toISOString(),
  });
  // Only now: whoever joined by the invitation that this one replaces is on the staff by now.
  const user = await findVerifiedUser(trx, { email });
  if (user && user.role !== "customer") {
    throw new AppError(
      "CONFLICT",
      `${user.fullName} is on the staff already. Change their role or shops instead`,
    );
  }
  const mail = invitationMail({
    to: email,
    invitedBy: ctx.actor.user.fullName,
    shops: role === "admin" ? null : shops.map((shop) => shop.name),
    url: `${ctx.publicUrl()}/admin/join?token=${token}`,
  });
  await queueMail(trx, ctx, mail);
  await recordAudit(trx, ctx, {
    action,
    subject: { id, name: email },
    after: auditedDuties({ role, shopIds }, shops),
  });
}

/** Takes an invitation back: its link no longer works. */
export async function withdrawInvitation(ctx: Context<Admin>, input: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeWithdrawal(trx, ctx, input.id));
}

async function storeWithdrawal(trx: Trx, ctx: Context<Admin>, id: string): Promise<void> {
  const { email, role } = (await findInvitation(trx, { id })) ?? notWaiting();
  if (!(await deleteInvitation(trx, id))) notWaiting();
  await recordAudit(trx, ctx, { action: "staff.withdraw", subject: { id, name: email }, before: { role } });
}

function notWaiting(): never {
  throw new AppError("NOT_FOUND", "This invitation waits no longer: it was accepted or withdrawn");
}
