import { z } from "zod";
import { cleanText, idField, idOf, optionalText, requiredText } from "./fields.ts";
import { notNew, shopDetailFields } from "./shop-details.ts";

/** Words of the name, place or college of a shop. */
export const searchField = z.string().max(300).default("");

/** A new shop. `id` becomes part of the address of its page and never changes. */
export const createShopInput = z.object({
  id: idOf("must have only letters, digits and hyphens, such as lamp-post-prints").refine(...notNew),
  ...shopDetailFields,
});
export type CreateShopInput = z.output<typeof createShopInput>;
/** Unparsed: the cost in rupees, ratings in stars. */
export type ShopForm = z.input<typeof createShopInput>;

export const updateShopInput = z.object({
  shopId: idField,
  /** The version that the changes were made on. */
  version: z.int32().min(1),
  ...shopDetailFields,
  // Name and picture are checked with `nameAndPictureFields` once the shop is known, because it may keep what it has.
  shopName: requiredText("Shop name"),
  shopLocation: requiredText("Shop location"),
  shopImage: cleanText(500),
});
export type UpdateShopInput = z.output<typeof updateShopInput>;

/** One page of the shops by name; `cursor` is how many stand before it. */
export const managedShopsInput = z.object({
  search: searchField,
  /** Only this shop. */
  shopId: idField.optional(),
  cursor: z.int().min(0).max(1_000_000).nullish(),
});
export type ManagedShopsInput = z.output<typeof managedShopsInput>;

export const openShopInput = z.object({
  shopId: idField,
  isOpen: z.boolean(),
  /** What students are told while the shop is closed; removed when it opens. */
  closedNote: optionalText(120),
});
export type OpenShopInput = z.output<typeof openShopInput>;

export const hideShopInput = z.object({ shopId: idField, hidden: z.boolean() });
