/** The ways to sort shops: `listed` by name, the others by price or rating. */
export const SHOP_ORDERS = ["listed", "price", "sample", "rating"] as const;
export type ShopOrder = (typeof SHOP_ORDERS)[number];

export function isShopOrder(value: unknown): value is ShopOrder {
  return SHOP_ORDERS.some((order) => order === value);
}
