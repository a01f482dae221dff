import { OPTION_KINDS } from "#shared/options.ts";
import { RATINGS_THAT_COUNT } from "#shared/ratings.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import type { RouterOutputs } from "#ui/trpc.ts";
import { plainRupees } from "../../lib/rupees.ts";

/** A shop as its staff see it. */
export type ManagedShop = RouterOutputs["shops"]["admin"]["byId"];

/** The fields of the form; the cost in rupees, as typed. */
export type ShopValues = Required<Omit<ShopForm, "id">>;

export const FIELD_LABELS: Record<keyof ShopValues, string> = {
  shopName: "Name",
  shopLocation: "Location",
  college: "College",
  shopImage: "Picture",
  ratings: "Rating",
  perPageCost: "Cost per page",
  email: "Email for orders",
  contactNumber: "Contact number",
  upiId: "UPI ID",
  offersPickup: "Pickup at the shop",
  separatesFiles: "Separator sheets",
  openingHours: "Opening hours",
};

export const EMPTY_SHOP: ShopValues = {
  shopName: "",
  shopLocation: "",
  college: "",
  shopImage: "",
  ratings: 4,
  perPageCost: "",
  email: "",
  contactNumber: "",
  upiId: "",
  offersPickup: false,
  separatesFiles: false,
  openingHours: "",
};

export function valuesOf(shop: ManagedShop): ShopValues {
  const { shopName, shopLocation, college, shopImage, staffRatings: ratings } = shop;
  const { email, contactNumber, upiId, offersPickup, separatesFiles, openingHours } = shop;
  const perPageCost = shop.perPageCost.toFixed(2);
  const details = { shopName, shopLocation, college, shopImage, ratings, perPageCost, email, contactNumber };
  return { ...details, upiId, offersPickup, separatesFiles, openingHours };
}

/** A form's values as they are checked and sent: people paste a cost with its sign and commas. */
export function sentValues<Values extends ShopValues>(values: Values): Values {
  return { ...values, perPageCost: plainRupees(String(values.perPageCost)) };
}

/** Whether it is new: none of its lists has an option that is on. */
export function hasNoPrices({ gaps }: Pick<ManagedShop, "gaps">): boolean {
  return gaps.length === OPTION_KINDS.length;
}

/** Whether its rating is the students' average instead of the admins' value. */
export function isRatedByStudents({ ratingCount }: ManagedShop): boolean {
  return ratingCount >= RATINGS_THAT_COUNT;
}

/** A hint on the rating set by admins: how long it counts, or what counts now. */
export function ratingNote(mayRate: boolean, shop?: ManagedShop): string {
  if (shop && isRatedByStudents(shop)) {
    return `Average of ${shop.ratingCount} ratings by students: ${shop.ratings.toFixed(1)}`;
  }
  return `${mayRate ? "0 to 5" : "By admins"}, until there are five ratings`;
}
