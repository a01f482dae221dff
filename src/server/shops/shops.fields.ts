import { toRupees } from "#shared/money.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { shopStars } from "#shared/ratings.ts";
import type { ShopOption } from "#shared/schemas/shops.ts";
import type { OptionRecord, ShopRecord } from "./shops.queries.ts";

export type OptionLists = Record<OptionKind, OptionRecord[]>;

export function listsByKind(options: OptionRecord[]): OptionLists {
  const groups = Map.groupBy(options, (option) => option.kind);
  return Object.fromEntries(OPTION_KINDS.map((kind) => [kind, groups.get(kind) ?? []])) as OptionLists;
}

export function shopFields(shop: ShopRecord) {
  return {
    _id: shop.id,
    shopName: shop.name,
    shopLocation: shop.location,
    college: shop.college,
    shopImage: shop.image,
    ratings: shopStars(shop),
    perPageCost: toRupees(shop.perPagePaise),
    email: shop.email,
    contactNumber: shop.contactNumber,
    isOpen: shop.isOpen,
    closedNote: shop.closedNote,
    takesUpi: shop.upiId !== "",
    offersPickup: shop.offersPickup,
  };
}

export function wireOption(option: OptionRecord): ShopOption {
  const { id, name, pricePaise, basis, sides } = option;
  return { _id: id, name, price: toRupees(pricePaise), pricePaise, basis, sides };
}
