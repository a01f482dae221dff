import { readStored, writeStored } from "../print/draft-store.ts";

const nameOf = (userId: string) => `last-shop:${userId}`;

export function rememberShop(userId: string, shopId: string): void {
  writeStored(nameOf(userId), shopId);
}

/** The shop where this student last went on to an order; null if this browser knows none. */
export function lastShopId(userId: string): string | null {
  const stored: unknown = JSON.parse(readStored(nameOf(userId)) ?? "null");
  return typeof stored === "string" ? stored : null;
}
