import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { CurrentUser, StaffRole } from "#shared/schemas/accounts.ts";
import type { Admin, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
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
