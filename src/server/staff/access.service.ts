import type { Db } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import { assignableRoles } from "#shared/permissions.ts";
import type { CurrentUser, StaffAccount, StaffRole } from "#shared/schemas/accounts.ts";
import { type Admin, type Context, hasShop, type StaffMember } from "../context.ts";
import { AppError, forbidden } from "../errors.ts";
import type { ShopName } from "../shops/shops.queries.ts";
import { listShopNames } from "../shops/shops.service.ts";
import { findShopIdsOf } from "./staff.queries.ts";

/** The logged-in user as a staff member, with their current shops. Throws FORBIDDEN for anybody else. */
export async function asStaff({ readDb }: { readDb: Db | Trx }, user: CurrentUser): Promise<StaffMember> {
  const { role } = user;
  if (role === "customer") throw forbidden();
  return toStaffMember({ ...user, role }, role === "admin" ? [] : await findShopIdsOf(readDb, user._id));
}

export function toStaffMember(user: StaffAccount, shopIds: string[]): StaffMember {
  return { kind: "user", user, shops: user.role === "admin" ? "all" : shopIds };
}

type Caller = Pick<Context, "readDb" | "actor">;

/** The caller as a staff member; null for anybody else. */
export async function findStaff({ readDb, actor }: Caller): Promise<StaffMember | null> {
  const isStaff = actor.kind === "user" && actor.user.role !== "customer";
  return isStaff ? asStaff({ readDb }, actor.user) : null;
}

/** Whether the caller works at this shop, or is an admin. */
export async function worksAt(caller: Caller, shopId: string): Promise<boolean> {
  const staff = await findStaff(caller);
  return staff !== null && hasShop(staff, shopId);
}

export function asAdmin(user: CurrentUser): Admin {
  if (user.role !== "admin") throw forbidden();
  return { kind: "user", user: { ...user, role: user.role }, shops: "all" };
}

/** Throws FORBIDDEN for counter staff. */
export function requireOwner({ user }: StaffMember): void {
  if (user.role === "counter") throw forbidden();
}

/** A staff role, and the shops that it is for. */
export interface RoleAssignment {
  role: StaffRole;
  /** The shops of an owner or of counter staff; empty for an admin, who has all. */
  shopIds: string[];
}

/** Whether this staff member may give somebody the role. Owners may only give the counter role, in their own shops. */
export function canAssign(giver: StaffMember, { role, shopIds }: RoleAssignment): boolean {
  return assignableRoles(giver.user.role).includes(role) && shopIds.every((id) => hasShop(giver, id));
}

/**
 * Returns the assignment without duplicate shops, and with their names. Throws FORBIDDEN when the caller may not give
 * it, and INVALID_INPUT when a shop no longer exists.
 */
export async function checkAssignment(
  trx: Trx,
  giver: StaffMember,
  { role, shopIds }: RoleAssignment,
): Promise<RoleAssignment & { shops: ShopName[] }> {
  const wanted = role === "admin" ? [] : [...new Set(shopIds)];
  if (!canAssign(giver, { role, shopIds: wanted })) {
    throw new AppError("FORBIDDEN", "You can only add people to the counter of your own shops");
  }
  const shops = await listShopNames(trx, wanted);
  if (shops.length < wanted.length) {
    throw new AppError("INVALID_INPUT", "A chosen shop no longer exists. Please choose again");
  }
  return { role, shopIds: shops.map((shop) => shop.id), shops };
}

/** The assignment as the audit log keeps it, with shops by name. */
export function auditAssignment({ role, shopIds }: RoleAssignment, shops: ShopName[]) {
  const names = shops.filter((shop) => shopIds.includes(shop.id)).map((shop) => shop.name);
  return { role, shops: role === "admin" ? "all" : names };
}

/** The shop whose owners see the audit entry; entries about several shops are for admins only. */
export function auditShop(shopIds: readonly string[]): { shopId?: string } {
  const [shopId, another] = new Set(shopIds);
  return shopId && !another ? { shopId } : {};
}
