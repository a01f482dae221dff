import { foldForSearch, otherNames } from "./place-names.ts";
import type { ShopCard } from "./schemas/shops.ts";
import type { ShopSort } from "./shop-sorts.ts";

/** A shop with its searchable text. */
export interface SearchableShop {
  shop: ShopCard;
  text: string;
}

/** Prepares a shop for repeated searches. */
export function toSearchable(shop: ShopCard): SearchableShop {
  const text = foldForSearch(`${shop.shopName} ${shop.shopLocation} ${shop.college}`);
  return { shop, text: [text, ...otherNames(text)].join(" ") };
}

/** The shops whose name, place or college, or another name of these, contains every word of the search, in the given order. */
export function findShops(shops: readonly SearchableShop[], search: string): ShopCard[] {
  const words = foldForSearch(search).split(/\s+/);
  return shops.filter(({ text }) => words.every((word) => text.includes(word))).map(({ shop }) => shop);
}

/** The shops in another order. */
export function sortShops(shops: readonly SearchableShop[], order: ShopSort): SearchableShop[] {
  return shops.toSorted((one, other) => COMPARE[order](one.shop, other.shop));
}

const COMPARE: Record<ShopSort, (one: ShopCard, other: ShopCard) => number> = {
  listed: () => 0,
  price: (one, other) => one.perPageCost - other.perPageCost,
  sample: (one, other) => samplePaise(one) - samplePaise(other),
  rating: (one, other) => other.ratings - one.ratings,
};

/** Shops that cannot do the sample job come last. */
function samplePaise(shop: ShopCard): number {
  return shop.samplePaise ?? Number.MAX_SAFE_INTEGER;
}
