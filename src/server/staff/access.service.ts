import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { rolesGivenBy } from "#shared/permissions.ts";
import type { CurrentUser, StaffRole } from "#shared/schemas/accounts.ts";
import { type Admin, hasShop, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import type { ShopName } from "../shops/shops.queries.ts";
import { listShopNames } from "../shops/shops.service.ts";
import { findShopIdsOf } from "./staff.queries.ts";

/** The signed-in user as staff, with the shops that are theirs right now. Throws FORBIDDEN for anybody else. */
export async function asStaff({ readDb }: { readDb: Db | Trx }, user: CurrentUser): Promise<StaffMember> {
  const { role } = user;
  if (role === "customer") throw notForYou();
  const shops = role === "admin" ? "all" : await findShopIdsOf(readDb, user._id);
  return { kind: "user", user: { ...user, role: role satisfies StaffRole }, shops };
}

export function asAdmin(user: CurrentUser): Admin {
  if (user.role !== "admin") throw notForYou();
  return { kind: "user", user: { ...user, role: user.role }, shops: "all" };
}

/** Throws FORBIDDEN for counter staff. */
export function requireOwner({ user }: StaffMember): void {
  if (user.role === "counter") throw notForYou();
}

function notForYou(): AppError {
  return new AppError("FORBIDDEN", "Your account may not do this");
}

/** What someone is on the staff for. */
export interface Duties {
  role: StaffRole;
  /** Of an owner or of counter staff; empty for an admin, who has all. */
  shopIds: string[];
}

/** Whether this member of the staff may give such duties to others: owners only those of the counter, and of their own shops. */
export function mayGive(giver: StaffMember, { role, shopIds }: Duties): boolean {
  return rolesGivenBy(giver.user.role).includes(role) && shopIds.every((id) => hasShop(giver, id));
}

/** The duties as this transaction can store them, with the shops' names. Throws INVALID_INPUT when one of the shops is gone. */
export async function checkDuties(
  trx: Trx,
  giver: StaffMember,
  { role, shopIds }: Duties,
): Promise<Duties & { shops: ShopName[] }> {
  const wanted = role === "admin" ? [] : [...new Set(shopIds)];
  if (!mayGive(giver, { role, shopIds: wanted })) {
    throw new AppError("FORBIDDEN", "You can give others only the counter of your own shops");
  }
  const shops = await listShopNames(trx, wanted);
  if (shops.length < wanted.length) {
    throw new AppError("INVALID_INPUT", "A chosen shop no longer exists. Please choose again");
  }
  return { role, shopIds: shops.map((shop) => shop.id), shops };
}

/** Duties as the audit log keeps them: people know shops by their names. */
export function auditedDuties({ role, shopIds }: Duties, shops: ShopName[]) {
  const names = shops.filter((shop) => shopIds.includes(shop.id)).map((shop) => shop.name);
  return { role, shops: role === "admin" ? "all" : names };
}

/** The shop whose owners see this in the audit log; only admins see what concerns several. */
export function auditedShop(shopIds: readonly string[]): { shopId?: string } {
  const [shopId, another] = new Set(shopIds);
  return shopId && !another ? { shopId } : {};
}
