/** The ways to sort shops: `listed` by name, the others by price or rating. */
export const SHOP_SORTS = ["listed", "price", "sample", "rating"] as const;
export type ShopSort = (typeof SHOP_SORTS)[number];

export function isShopSort(value: unknown): value is ShopSort {
  return SHOP_SORTS.some((order) => order === value);
}
