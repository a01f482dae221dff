import type { Trx } from "#db/transaction.ts";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { AppError } from "../errors.ts";
import { listShopNames, type ShopName } from "../shops/shops.service.ts";

/** What someone is on the staff for. */
export interface Duties {
  role: StaffRole;
  /** Of an owner; empty for an admin, who has all. */
  shopIds: string[];
}

/** The duties as this transaction can store them, with the shops' names. Throws INVALID_INPUT when one of the shops is gone. */
export async function checkDuties(
  trx: Trx,
  { role, shopIds }: Duties,
): Promise<Duties & { shops: ShopName[] }> {
  const wanted = role === "admin" ? [] : [...new Set(shopIds)];
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
