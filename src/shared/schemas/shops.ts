import { z } from "zod";
import { BASES } from "../options.ts";
import { SHOP_SORTS } from "../shop-sorts.ts";
import { idField, optionalText } from "./fields.ts";

/** One option: `price` in rupees, as in the contract, and in paise. */
export const shopOption = z
  .object({
    _id: z.string(),
    name: z.string(),
    price: z.number(),
    pricePaise: z.number().int(),
    basis: z.enum(BASES),
    sides: z.number().int(),
    inColour: z.boolean().optional().describe("true for one of printedColours that prints in colour"),
    isOut: z.boolean().optional().describe("true while the shop has run out of it: it cannot be ordered"),
  })
  .meta({ id: "ShopOption" });
export type ShopOption = z.infer<typeof shopOption>;

const shopFields = {
  _id: z.string(),
  shopName: z.string(),
  shopLocation: z.string(),
  college: z.string(),
  shopImage: z.string(),
  ratings: z.number(),
  perPageCost: z.number(),
  email: z.string(),
  contactNumber: z.string(),
  isOpen: z.boolean(),
  /** The shop's note about why and how long it is closed; may be empty. */
  closedNote: z.string(),
  /** Whether orders can be paid by UPI; the UPI ID is shown after ordering. */
  takesUpi: z.boolean(),
  offersPickup: z.boolean(),
  /** Such as `Mon–Sat 9:00–20:00`; empty if the shop has not said. */
  openingHours: z.string(),
};

const optionLists = {
  paperTypes: z.array(shopOption),
  paperSizes: z.array(shopOption),
  printedColours: z.array(shopOption),
  printingSides: z.array(shopOption),
  bindingOptions: z.array(shopOption),
  coverOptions: z.array(shopOption),
};

export const shop = z.object({ ...shopFields, ...optionLists }).meta({ id: "Shop" });
export type Shop = z.infer<typeof shop>;

/** A shop in the grid; `samplePaise` is the price of the sample job, for comparing shops. */
export const shopCard = z
  .object({
    ...shopFields,
    samplePaise: z.number().int().nullable(),
    closedOn: z
      .array(z.string())
      .describe(
        "Days of the week on which it is always closed, such as Sun, and its next holidays, such as 2026-12-25",
      ),
    closedUntil: z.string().nullable().describe("Closed early: it works again from then on. May be past"),
  })
  .meta({ id: "ShopCard" });
export type ShopCard = z.infer<typeof shopCard>;

/** Cards per page of the grid. */
export const SHOPS_PER_PAGE = 60;
const MOST_AT_ONCE = 500;

const search = optionalText(200).describe("Words of the name, place or college");
const sort = z.enum(SHOP_SORTS).default("listed").describe("By name, or the cheapest or best first");

/** Without any of these, the list is complete. */
export const shopListInput = z
  .object({
    search,
    sort,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MOST_AT_ONCE)
      .optional()
      .describe("Shops at most; all without it"),
    after: idField.optional().describe("The _id of the shop after which the list goes on"),
  })
  .meta({ id: "ShopList" });
export type ShopListInput = z.infer<typeof shopListInput>;

export const shopPageInput = z.object({ search, sort, cursor: idField.nullish() });
export type ShopPageInput = z.infer<typeof shopPageInput>;

/** One page of the grid; `next` is null on the last. */
export interface ShopPage {
  shops: ShopCard[];
  /** The number of shops on all pages. */
  total: number;
  /** The cursor of the next page. */
  next: string | null;
}

export const shopIdInput = z.object({ id: idField }).meta({ id: "ShopId" });
