import { isShopSort, type ShopSort } from "#shared/shop-search.ts";

/** What the orders in which shops may stand are called. */
export const ORDER_NAMES: Record<ShopSort, string> = {
  listed: "Name",
  price: "Lowest cost per page",
  sample: "Lowest price of the sample job",
  rating: "Best rating",
};

/** What the address of the grid says: the words searched for and the order; nothing means all shops as listed. */
export interface ShopQuery {
  q?: string | undefined;
  sort?: ShopSort | undefined;
}

/** The query of an address, without what is not understood. */
export function readShopQuery({ q, sort }: Record<string, unknown>): ShopQuery {
  return {
    q: typeof q === "string" || typeof q === "number" ? String(q) : undefined,
    sort: isShopSort(sort) ? sort : undefined,
  };
}
