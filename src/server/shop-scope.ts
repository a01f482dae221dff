/** All shops, or the ids of some. */
export type ShopScope = "all" | readonly string[];
