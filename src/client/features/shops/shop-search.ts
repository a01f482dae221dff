import type { ShopCard } from "#shared/schemas/shops.ts";

/** In what order the shops may stand. */
export const SHOP_ORDERS = {
  listed: "Name",
  price: "Lowest cost per page",
  sample: "Lowest price of the sample job",
  rating: "Best rating",
} as const;
export type ShopOrder = keyof typeof SHOP_ORDERS;

/** What the address of the grid says: the words searched for and the order; nothing means all shops as listed. */
export interface ShopQuery {
  q?: string | undefined;
  sort?: ShopOrder | undefined;
}

/** The query of an address, without what is not understood. */
export function readShopQuery({ q, sort }: Record<string, unknown>): ShopQuery {
  return {
    q: typeof q === "string" || typeof q === "number" ? String(q) : undefined,
    sort: isShopOrder(sort) ? sort : undefined,
  };
}

export function isShopOrder(value: unknown): value is ShopOrder {
  return typeof value === "string" && Object.hasOwn(SHOP_ORDERS, value);
}

/** The shops whose name, place or college has every word of the search, in the wanted order. */
export function findShops(shops: readonly ShopCard[], { q = "", sort = "listed" }: ShopQuery): ShopCard[] {
  const words = fold(q).split(/\s+/).filter(Boolean);
  const found = shops.filter((shop) => {
    const text = fold(`${shop.shopName} ${shop.shopLocation} ${shop.college}`);
    return words.every((word) => text.includes(word));
  });
  return found.sort(COMPARE[sort]);
}

const COMPARE: Record<ShopOrder, (one: ShopCard, other: ShopCard) => number> = {
  listed: () => 0,
  price: (one, other) => one.perPageCost - other.perPageCost,
  sample: (one, other) => samplePaise(one) - samplePaise(other),
  rating: (one, other) => other.ratings - one.ratings,
};

/** A shop that cannot do the sample job stands last. */
function samplePaise(shop: ShopCard): number {
  return shop.samplePaise ?? Number.MAX_SAFE_INTEGER;
}

/** Lower case without accents, so that "Nandyal" finds "Nāndyāl". */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}
