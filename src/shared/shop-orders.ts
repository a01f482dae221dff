/** In what order shops may stand: as listed, which is by name; the cheapest first, or the best. */
export const SHOP_ORDERS = ["listed", "price", "sample", "rating"] as const;
export type ShopOrder = (typeof SHOP_ORDERS)[number];

export function isShopOrder(value: unknown): value is ShopOrder {
  return SHOP_ORDERS.some((order) => order === value);
}
