import { type Trx, transact } from "#db/transaction.ts";
import { assignableRoles } from "#shared/permissions.ts";
import type { CurrentUser, Role, StaffAccount } from "#shared/schemas/accounts.ts";
import type { ChangeStaffInput, MyShopsInput } from "#shared/schemas/staff.ts";
import {
  assignRole,
  endSessions,
  findAdminEmails,
  listStaffAccounts,
  lockVerifiedUser,
} from "../accounts/admin.service.ts";
import {
  isStaffSecondFactorRequired,
  resetSecondFactors,
  setStaffSecondFactorRequired,
} from "../accounts/second-factor.service.ts";
import { recordAudit, requireBase } from "../audit/audit.service.ts";
import { type Admin, type Context, hasShop, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { logSecurity, pseudonym } from "../lib/log.ts";
import type { ShopName } from "../shops/shops.queries.ts";
import { findShopChoices, listShopNames } from "../shops/shops.service.ts";
import {
  auditAssignment,
  auditShop,
  canAssign,
  checkAssignment,
  type RoleAssignment,
  toStaffMember,
} from "./access.service.ts";
import {
  deleteInvitationsTo,
  findInvitations,
  findPeopleAt,
  findShopIdsByUser,
  findShopIdsOf,
  recordFormerStaff,
  removeShopsFromInvitations,
  replaceShopsOf,
} from "./staff.queries.ts";

/** The first of the caller's shops that match a search, by name; or those with these ids. */
export async function findMyShops(
  { readDb, actor }: Context<StaffMember>,
  { search, ids }: MyShopsInput,
): Promise<{ shops: ShopName[]; hasMore: boolean }> {
  if (!ids) return findShopChoices(readDb, actor.shops, search);
  const own = ids.filter((id) => hasShop(actor, id));
  return { shops: await listShopNames(readDb, own), hasMore: false };
}

/** All staff and pending invitations; owners see those of their own shops only. */
export async function listStaff(ctx: Pick<Context<StaffMember>, "actor" | "readDb" | "now">) {
  const { actor, readDb } = ctx;
  const invitations = await findInvitations(readDb, actor.shops);
  const inviters = invitations.map(({ invitedBy }) => invitedBy);
  const ids =
    actor.shops === "all"
      ? "all"
      : [actor.user._id, ...inviters, ...(await findPeopleAt(readDb, actor.shops))];
  const [accounts, shopIds, shops] = await Promise.all([
    listStaffAccounts(readDb, ids),
    findShopIdsByUser(readDb, ids),
    listShopNames(readDb, actor.shops),
  ]);
  const staff = accounts.map((user) => toStaffMember(user, shopIds.get(user._id) ?? []));
  const staffById = new Map(staff.map((member) => [member.user._id, member]));
  const places = new Map(shops.map((shop, place) => [shop.id, { shop, place }]));
  const named = (ids: readonly string[]) =>
    ids
      .flatMap((id) => places.get(id) ?? [])
      .sort((a, b) => a.place - b.place)
      .map(({ shop }) => shop);
  const now = ctx.now().toISOString();
  return {
    people: staff
      .filter(
        ({ user, shops }) =>
          actor.shops === "all" ||
          user._id === actor.user._id ||
          (shops !== "all" && shops.some((id) => hasShop(actor, id))),
      )
      .map(({ user }) => ({ ...user, shops: named(shopIds.get(user._id) ?? []) })),
    invitations: invitations.map((invitation) => {
      const inviter = staffById.get(invitation.invitedBy);
      return {
        id: invitation.id,
        email: invitation.email,
        role: invitation.role,
        createdAt: invitation.createdAt,
        expiresAt: invitation.expiresAt,
        shops: named(invitation.shopIds),
        invitedBy: inviter?.user.fullName ?? "a former colleague",
        /** Whether its link no longer works. */
        expired: invitation.expiresAt <= now || !inviter || !canAssign(inviter, invitation),
        /** Whether the caller may resend or withdraw it. */
        isYours: canAssign(actor, invitation),
      };
    }),
  };
}

/**
 * Changes a staff member's role or shops. Owners can only change which of their own shops a counter member works at;
 * shops of other owners stay. A new role ends the member's sessions. Throws CONFLICT if somebody else has changed them in the
 * meantime.
 */
export async function changeStaff(
  ctx: Context<StaffMember>,
  { userId, base, ...input }: ChangeStaffInput,
): Promise<void> {
  const change = await transact(ctx.db, async (trx) =>
    storeAssignment(trx, ctx, { userId, assignment: await checkAssignment(trx, ctx.actor, input), base }),
  );
  logSecurity(ctx, "staff.role.changed", change.user, { from: change.user.role, to: change.role });
}

/**
 * Removes somebody from the caller's shops and ends all their sessions. Without any shop left they become a customer.
 */
export async function removeStaff(ctx: Context<StaffMember>, { userId }: { userId: string }): Promise<void> {
  const change = await transact(ctx.db, (trx) => storeAssignment(trx, ctx, { userId, assignment: null }));
  logSecurity(ctx, "staff.role.changed", change.user, { from: change.user.role, to: change.role });
}

interface Change {
  userId: string;
  /** The new role at the caller's shops; null removes the person from them. */
  assignment: RoleAssignment | null;
  /** The role, and the shops among the caller's, that were changed. */
  base?: RoleAssignment | undefined;
}

async function storeAssignment(
  trx: Trx,
  ctx: Context<StaffMember>,
  { userId, assignment, base }: Change,
): Promise<{ user: StaffAccount; role: Role }> {
  const { actor } = ctx;
  const user = await findOtherStaffMember(trx, ctx, userId);
  const before = { role: user.role, shopIds: await findShopIdsOf(trx, userId) };
  requireManageable(actor, before);
  const saved = assignmentKey({ ...before, shopIds: before.shopIds.filter((id) => hasShop(actor, id)) });
  if (base && assignment && saved !== assignmentKey(assignment)) {
    await requireBase(trx, ctx, `the role and shops of ${user.fullName}`, {
      saved,
      base: assignmentKey(base),
      action: "staff.change",
      subjectId: userId,
    });
  }
  const elsewhere = before.shopIds.filter((id) => !hasShop(actor, id));
  const shopIds = [...elsewhere, ...(assignment?.shopIds ?? [])];
  const role = assignment?.role ?? (elsewhere.length > 0 ? user.role : "customer");
  const moved = await assignRole(trx, { userId, from: user.role, to: role });
  if (!moved)
    throw new AppError("CONFLICT", "Someone else has just changed this role. Please reload and check");
  await replaceShopsOf(trx, { userId, shopIds, now: ctx.now().toISOString() });
  await recordFormerStaff(trx, { userId, left: lostShops(before, { role, shopIds }), now: ctx.now() });
  if (!assignment) await endSessions(trx, userId);
  // Somebody who was removed or lost a shop must not return by an earlier invitation.
  const lost = before.shopIds.filter((id) => !shopIds.includes(id));
  if (!assignment && actor.shops === "all") await deleteInvitationsTo(trx, user.email);
  else await removeShopsFromInvitations(trx, { email: user.email, shopIds: lost });
  await requireAdminLeft(trx);
  // The owners of a shop read this, and do not learn where else the person works.
  const concerned = [...before.shopIds, ...shopIds].filter((id) => hasShop(actor, id));
  const shops = await listShopNames(trx, concerned);
  await recordAudit(trx, ctx, {
    action: assignment ? "staff.change" : "staff.remove",
    subject: { id: userId, name: user.fullName },
    ...auditShop(concerned),
    before: auditAssignment(before, shops),
    after: role === "customer" ? undefined : auditAssignment({ role, shopIds }, shops),
  });
  return { user, role };
}

function assignmentKey({ role, shopIds }: RoleAssignment): string {
  return [role, ...(role === "admin" ? [] : shopIds).toSorted()].join(" ");
}

/** The shops that the person no longer owns; null stands for the whole store, for a former admin. */
function lostShops(before: RoleAssignment, after: { role: Role; shopIds: string[] }): (string | null)[] {
  if (before.role === "admin") return after.role === "admin" ? [] : [null];
  if (before.role !== "owner" || after.role === "admin") return [];
  return before.shopIds.filter((id) => after.role !== "owner" || !after.shopIds.includes(id));
}

/** Another staff member: nobody may change their own role, so that nobody locks themselves out. */
async function findOtherStaffMember(
  trx: Trx,
  ctx: Context<StaffMember>,
  userId: string,
): Promise<StaffAccount> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "You cannot change your own role. Please ask another admin");
  }
  const user = await lockVerifiedUser(trx, { id: userId });
  if (!user || user.role === "customer") throw notStaff();
  return { ...user, role: user.role };
}

/**
 * Throws NOT_FOUND when the person works at none of the caller's shops, and FORBIDDEN when the caller may not manage
 * their role.
 */
function requireManageable(actor: StaffMember, { role, shopIds }: RoleAssignment): void {
  if (actor.shops === "all") return;
  if (!shopIds.some((id) => hasShop(actor, id)) || role === "admin") throw notStaff();
  if (!assignableRoles(actor.user.role).includes(role)) {
    throw new AppError("FORBIDDEN", "Only an admin can change or remove an owner");
  }
}

function notStaff(): AppError {
  return new AppError("NOT_FOUND", "This person is not on the staff");
}

/** Two admins who remove each other at the same moment would otherwise leave none. */
async function requireAdminLeft(trx: Trx): Promise<void> {
  if ((await findAdminEmails(trx)).length === 0) {
    throw new AppError("CONFLICT", "The store needs at least one admin. Please reload and check");
  }
}

/** Removes all second factors of a staff member who lost theirs; both are told by mail. */
export async function resetSecondFactor(ctx: Context<Admin>, { userId }: { userId: string }): Promise<void> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "Please remove your own second factors under Security");
  }
  const user = await transact(ctx.db, (trx) => storeReset(trx, ctx, userId));
  logSecurity(ctx, "staff.factor.reset", user, { by: pseudonym(ctx.keyring, ctx.actor.user.email) });
}

async function storeReset(trx: Trx, ctx: Context<Admin>, userId: string): Promise<CurrentUser> {
  const user = await lockVerifiedUser(trx, { id: userId });
  if (!user || user.role === "customer") throw notStaff();
  await resetSecondFactors(trx, ctx, user);
  await recordAudit(trx, ctx, {
    action: "staff.secondFactorReset",
    subject: { id: userId, name: user.fullName },
  });
  return user;
}

/** Whether owners and counter staff must have a second factor. For admins, https decides. */
export async function getSecondFactorRule(ctx: Context<Admin>): Promise<{ required: boolean }> {
  return { required: await isStaffSecondFactorRequired(ctx.db) };
}

/** The next call of staff without a second factor ends their session; they set one up at login. */
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
