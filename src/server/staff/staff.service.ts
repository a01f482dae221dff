import { type Trx, transact } from "#db/transaction.ts";
import type { StaffAccount } from "#shared/schemas/accounts.ts";
import type { ChangeStaffInput } from "#shared/schemas/staff.ts";
import { holdVerifiedUser, listStaffAccounts, moveRole } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { listShopNames, type ShopName } from "../shops/shops.service.ts";
import { auditedDuties, checkDuties, type Duties } from "./staff.duties.service.ts";
import { findInvitations } from "./staff.invitation-queries.ts";
import { findShopIdsByUser, findShopIdsOf, replaceShopsOf } from "./staff.queries.ts";

/** The shops that the caller works for, by name. */
export function myShops(ctx: Context<StaffMember>): Promise<ShopName[]> {
  return listShopNames(ctx.readDb, ctx.actor.shops);
}

/** Everyone on the staff, and the invitations that wait. */
export async function listStaff(ctx: Context<Admin>) {
  const [accounts, shopIds, invitations, shops] = await Promise.all([
    listStaffAccounts(ctx.readDb),
    findShopIdsByUser(ctx.readDb),
    findInvitations(ctx.readDb),
    listShopNames(ctx.readDb, "all"),
  ]);
  const named = (ids: string[] = []) => shops.filter((shop) => ids.includes(shop.id));
  const inviters = new Map(accounts.map((account) => [account._id, account.fullName]));
  const now = ctx.now().toISOString();
  return {
    people: accounts.map((account) => ({ ...account, shops: named(shopIds.get(account._id)) })),
    invitations: invitations.map(({ shopIds: ids, invitedBy, ...invitation }) => ({
      ...invitation,
      shops: named(ids),
      invitedBy: inviters.get(invitedBy) ?? "somebody who left",
      expired: invitation.expiresAt <= now,
    })),
  };
}

/** Gives someone of the staff another role or other shops. A lower role ends their sessions. */
export async function changeStaff(
  ctx: Context<Admin>,
  { userId, ...input }: ChangeStaffInput,
): Promise<void> {
  await transact(ctx.db, async (trx) =>
    storeDuties(trx, ctx, { userId, duties: await checkDuties(trx, input) }),
  );
}

/** Takes someone off the staff: they are a customer again, and every session of theirs ends. */
export async function removeStaff(ctx: Context<Admin>, { userId }: { userId: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeDuties(trx, ctx, { userId, duties: null }));
}

interface Change {
  userId: string;
  /** Null for who leaves the staff. */
  duties: Duties | null;
}

async function storeDuties(trx: Trx, ctx: Context<Admin>, { userId, duties }: Change): Promise<void> {
  const user = await findColleague(trx, ctx, userId);
  const before = { role: user.role, shopIds: await findShopIdsOf(trx, userId) };
  const moved = await moveRole(trx, { userId, from: user.role, to: duties?.role ?? "customer" });
  if (!moved) throw new AppError("CONFLICT", "Somebody else has just changed this role. Please look again");
  await replaceShopsOf(trx, { userId, shopIds: duties?.shopIds ?? [], now: ctx.now().toISOString() });
  await requireAdminLeft(trx);
  const shops = await listShopNames(trx, "all");
  await recordAudit(trx, ctx, {
    action: duties ? "staff.change" : "staff.remove",
    subject: { id: userId, name: user.fullName },
    before: auditedDuties(before, shops),
    after: duties ? auditedDuties(duties, shops) : undefined,
  });
}

/** Someone else of the staff: nobody changes their own role, so that nobody locks themselves out. */
async function findColleague(trx: Trx, ctx: Context<Admin>, userId: string): Promise<StaffAccount> {
  if (userId === ctx.actor.user._id) {
    throw new AppError("CONFLICT", "You cannot change your own role. Please ask another admin");
  }
  const user = await holdVerifiedUser(trx, userId);
  if (!user || user.role === "customer") throw new AppError("NOT_FOUND", "This person is not on the staff");
  return { ...user, role: user.role };
}

/** Two admins who remove each other at the same moment would leave none. */
async function requireAdminLeft(trx: Trx): Promise<void> {
  const staff = await listStaffAccounts(trx);
  if (!staff.some(({ role }) => role === "admin")) {
    throw new AppError("CONFLICT", "The store needs an admin. Please look again");
  }
}
