import { z } from "zod";
import { cleanText, idField, optionalText, requiredText } from "./fields.ts";
import { shopDetailFields } from "./shop-details.ts";

/** A new shop. `id` stands in the address of its page, for ever. */
export const createShopInput = z.object({ id: idField, ...shopDetailFields });
export type CreateShopInput = z.output<typeof createShopInput>;
/** As filled in: the cost in rupees, ratings in stars. */
export type ShopForm = z.input<typeof createShopInput>;

export const updateShopInput = z.object({
  shopId: idField,
  /** The version that the changes were made on. */
  version: z.int().min(1),
  ...shopDetailFields,
  // Names and picture are checked against `nameAndPictureFields` where the shop is known: it keeps what it has.
  shopName: requiredText("Shop name"),
  shopLocation: requiredText("Shop location"),
  shopImage: cleanText(500),
});
export type UpdateShopInput = z.output<typeof updateShopInput>;

export const openShopInput = z.object({
  shopId: idField,
  isOpen: z.boolean(),
  /** What students are told while it is closed; dropped when it opens. */
  closedNote: optionalText(120),
});
export type OpenShopInput = z.output<typeof openShopInput>;

export const hideShopInput = z.object({ shopId: idField, hidden: z.boolean() });
