import { ownItems } from "../../lib/storage.ts";

const nameOf = (userId: string) => `last-shop:${userId}`;

export function rememberShop(userId: string, shopId: string): void {
  ownItems.set(nameOf(userId), shopId);
}

/** The shop where this student last went on to an order; null if this browser knows none. */
export function lastShopId(userId: string): string | null {
  const stored = ownItems.get(nameOf(userId));
  return typeof stored === "string" ? stored : null;
}
