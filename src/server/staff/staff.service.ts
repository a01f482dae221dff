import { type Trx, transact } from "#db/transaction.ts";
import { rolesGivenBy } from "#shared/permissions.ts";
import type { CurrentUser, Role, StaffAccount } from "#shared/schemas/accounts.ts";
import type { ChangeStaffInput } from "#shared/schemas/staff.ts";
import { assignRole, endSessions, listStaffAccounts, lockVerifiedUser } from "../accounts/admin.service.ts";
import {
  isStaffSecondFactorRequired,
  resetSecondFactors,
  setStaffSecondFactorRequired,
} from "../accounts/second-factor.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Admin, type Context, hasShop, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { logSecurity, pseudonym } from "../lib/log.ts";
import type { ShopName } from "../shops/shops.queries.ts";
import { listShopNames } from "../shops/shops.service.ts";
import { auditedDuties, auditedShop, checkDuties, type Duties, mayGive } from "./access.service.ts";
import { isStillGiven } from "./invitations.service.ts";
import {
  deleteInvitationsTo,
  findInvitations,
  findShopIdsByUser,
  findShopIdsOf,
  type InvitationRecord,
  noteFormerStaff,
  replaceShopsOf,
  takeShopsOutOfInvitations,
} from "./staff.queries.ts";

/** The shops that the caller works for, by name. */
export function myShops(ctx: Context<StaffMember>): Promise<ShopName[]> {
  return listShopNames(ctx.readDb, ctx.actor.shops);
}

/** Everyone on the staff and the invitations that wait; of both, an owner sees what concerns their own shops. */
export async function listStaff(ctx: Context<StaffMember>) {
  const { actor } = ctx;
  const [accounts, shopIds, invitations, shops] = await Promise.all([
    listStaffAccounts(ctx.readDb),
    findShopIdsByUser(ctx.readDb),
    findInvitations(ctx.readDb),
    listShopNames(ctx.readDb, actor.shops),
  ]);
  const named = (ids: string[] = []) => shops.filter((shop) => ids.includes(shop.id));
  const concerns = (role: Duties["role"], ids: string[] = []) =>
    actor.shops === "all" || (role !== "admin" && ids.some((id) => hasShop(actor, id)));
  const inviters = new Map(accounts.map((account) => [account._id, account.fullName]));
  return {
    people: accounts
      .filter(({ _id, role }) => _id === actor.user._id || concerns(role, shopIds.get(_id)))
      .map((account) => ({ ...account, shops: named(shopIds.get(account._id)) })),
    invitations: await Promise.all(
      invitations
        .filter(({ role, shopIds: ids }) => concerns(role, ids))
        .map(async (invitation) => ({
          id: invitation.id,
          email: invitation.email,
          role: invitation.role,
          createdAt: invitation.createdAt,
          expiresAt: invitation.expiresAt,
          shops: named(invitation.shopIds),
          invitedBy: inviters.get(invitation.invitedBy) ?? "somebody who left",
          /** Its link no longer works. */
          expired: !(await isLiving(ctx, invitation)),
          /** Whether the caller may send it again or withdraw it. */
          isYours: mayGive(actor, invitation),
        })),
    ),
  };
}

async function isLiving(ctx: Context<StaffMember>, invitation: InvitationRecord): Promise<boolean> {
  return invitation.expiresAt > ctx.now().toISOString() && isStillGiven(ctx.readDb, invitation);
}

/**
 * Gives someone of the staff another role or other shops; an owner gives counter staff others of the owner's own shops, and
 * what they work at elsewhere stays. Another role ends their sessions.
 */
export async function changeStaff(
  ctx: Context<StaffMember>,
  { userId, ...input }: ChangeStaffInput,
): Promise<void> {
  const change = await transact(ctx.db, async (trx) =>
    storeDuties(trx, ctx, { userId, duties: await checkDuties(trx, ctx.actor, input) }),
  );
  logSecurity(ctx, "staff.role.changed", change.user, { from: change.user.role, to: change.role });
}

/**
 * Takes someone off the staff of the caller's shops, and every session of theirs ends. With no shop left they are a
 * customer again.
 */
export async function removeStaff(ctx: Context<StaffMember>, { userId }: { userId: string }): Promise<void> {
  const change = await transact(ctx.db, (trx) => storeDuties(trx, ctx, { userId, duties: null }));
  logSecurity(ctx, "staff.role.changed", change.user, { from: change.user.role, to: change.role });
}

interface Change {
  userId: string;
  /** At the caller's shops; null for who leaves them. */
  duties: Duties | null;
}

async function storeDuties(
  trx: Trx,
  ctx: Context<StaffMember>,
  { userId, duties }: Change,
): Promise<{ user: StaffAccount; role: Role }> {
  const { actor } = ctx;
  const user = await findColleague(trx, ctx, userId);
  const before = { role: user.role, shopIds: await findShopIdsOf(trx, userId) };
  requireManageable(actor, before);
  const elsewhere = before.shopIds.filter((id) => !hasShop(actor, id));
  const shopIds = [...elsewhere, ...(duties?.shopIds ?? [])];
  const role = duties?.role ?? (elsewhere.length > 0 ? user.role : "customer");
  const moved = await assignRole(trx, { userId, from: user.role, to: role });
  if (!moved) throw new AppError("CONFLICT", "Somebody else has just changed this role. Please look again");
  await replaceShopsOf(trx, { userId, shopIds, now: ctx.now().toISOString() });
  await noteFormerStaff(trx, { userId, left: partedFrom(before, { role, shopIds }), now: ctx.now() });
  if (!duties) await endSessions(trx, userId);
  // Who is off the staff, or lost a shop, does not come back by an invitation that somebody had sent before.
  const lost = before.shopIds.filter((id) => !shopIds.includes(id));
  if (!duties && actor.shops === "all") await deleteInvitationsTo(trx, user.email);
  else await takeShopsOutOfInvitations(trx, { email: user.email, shopIds: lost });
  await requireAdminLeft(trx);
  const shops = await listShopNames(trx, "all");
  await recordAudit(trx, ctx, {
    action: duties ? "staff.change" : "staff.remove",
    subject: { id: userId, name: user.fullName },
    ...auditedShop([...before.shopIds, ...shopIds].filter((id) => hasShop(actor, id))),
    before: auditedDuties(before, shops),
    after: role === "customer" ? undefined : auditedDuties({ role, shopIds }, shops),
  });
  return { user, role };
}

/** The shops that somebody does not own any more; null for the whole store, of who is no admin any more. */
function partedFrom(before: Duties, after: { role: Role; shopIds: string[] }): (string | null)[] {
  if (before.role === "admin") return after.role === "admin" ? [] : [null];
  if (before.role !== "owner" || after.role === "admin") return [];
  return before.shopIds.filter((id) => after.role !== "owner" || !after.shopIds.includes(id));
}

/** Someone else of the staff: nobody changes their own role, so that nobody locks themselves out. */
async function findColleague(trx: Trx, ctx: Context<StaffMember>, userId: string): Promise<StaffAccount> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "You cannot change your own role. Please ask another admin");
  }
  const user = await lockVerifiedUser(trx, { id: userId });
  if (!user || user.role === "customer") throw notOnTheStaff();
  return { ...user, role: user.role };
}

/** Throws NOT_FOUND for who works at none of the caller's shops, and FORBIDDEN for who has a role that the caller may not take. */
function requireManageable(actor: StaffMember, { role, shopIds }: Duties): void {
  if (actor.shops === "all") return;
  if (!shopIds.some((id) => hasShop(actor, id)) || role === "admin") throw notOnTheStaff();
  if (!rolesGivenBy(actor.user.role).includes(role)) {
    throw new AppError("FORBIDDEN", "Only an admin can change or remove an owner");
  }
}

function notOnTheStaff(): AppError {
  return new AppError("NOT_FOUND", "This person is not on the staff");
}

/** Two admins who remove each other at the same moment would leave none. */
async function requireAdminLeft(trx: Trx): Promise<void> {
  const staff = await listStaffAccounts(trx);
  if (!staff.some(({ role }) => role === "admin")) {
    throw new AppError("CONFLICT", "The store needs an admin. Please look again");
  }
}

/** Takes every second factor from someone of the staff who has lost theirs; both are told by mail. */
export async function resetSecondFactor(ctx: Context<Admin>, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "Please remove your own second factors under Security");
  }
  const user = await transact(ctx.db, (trx) => storeReset(trx, ctx, userId));
  logSecurity(ctx, "staff.factor.reset", user, { by: pseudonym(ctx.keyring, ctx.actor.user.email) });
}

async function storeReset(trx: Trx, ctx: Context<Admin>, userId: string): Promise<CurrentUser> {
  const user = await lockVerifiedUser(trx, { id: userId });
  if (!user || user.role === "customer") throw new AppError("NOT_FOUND", "This person is not on the staff");
  await resetSecondFactors(trx, ctx, user);
  await recordAudit(trx, ctx, {
    action: "staff.secondFactorReset",
    subject: { id: userId, name: user.fullName },
  });
  return user;
}

/** Whether owners and counter staff must have a second factor; admins must where the store is open to the world. */
export async function getSecondFactorRule(ctx: Context<Admin>): Promise<{ required: boolean }> {
  return { required: await isStaffSecondFactorRequired(ctx.db) };
}

/** Who has none then sets one up at the next call, which their sessions do not outlive. */
export async function setSecondFactorRule(
  ctx: Context<Admin>,
  { required }: { required: boolean },
): Promise<void> {
  await transact(ctx.db, async (trx) => {
    const before = { required: await isStaffSecondFactorRequired(trx) };
    await setStaffSecondFactorRequired(trx, required);
    const subject = { id: "second-factor", name: "Owners and counter staff" };
    await recordAudit(trx, ctx, { action: "staff.secondFactorRule", subject, before, after: { required } });
  });
  logSecurity(ctx, "staff.factor.rule", ctx.actor.user, { required: String(required) });
}
