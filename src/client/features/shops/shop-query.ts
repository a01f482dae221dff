import { isShopSort, type ShopSort } from "#shared/shop-sorts.ts";

/** Labels of the sort orders. */
export const ORDER_NAMES: Record<ShopSort, string> = {
  listed: "Name",
  price: "Lowest cost per page",
  sample: "Lowest price of the sample job",
  rating: "Best rating",
};

/** The URL's search words and sort order; by default all shops as listed. */
export interface ShopQuery {
  q?: string | undefined;
  sort?: ShopSort | undefined;
}

/** Parses the URL's query; invalid parts are dropped. */
export function readShopQuery({ q, sort }: Record<string, unknown>): ShopQuery {
  return {
    q: typeof q === "string" || typeof q === "number" ? String(q) : undefined,
    sort: isShopSort(sort) ? sort : undefined,
  };
}
