import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { toRupees } from "#shared/money.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { shopStars } from "#shared/ratings.ts";
import { samplePricePaise } from "#shared/sample-job.ts";
import type { Shop, ShopCard, ShopOption } from "#shared/schemas/shops.ts";
import type { Context, ShopScope } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  addRatings,
  findActiveOptions,
  findShop,
  findShopNames,
  findShops,
  findShopsNamed,
  type OptionRecord,
  type ShopName,
  type ShopRecord,
} from "./shops.queries.ts";

export type { OptionRecord, ShopName, ShopRecord } from "./shops.queries.ts";
export type OptionLists = Record<OptionKind, OptionRecord[]>;

export async function listShops(ctx: Context): Promise<ShopCard[]> {
  const [shops, options] = await Promise.all([findShops(ctx.readDb), findActiveOptions(ctx.readDb)]);
  const optionsByShop = Map.groupBy(options, (option) => option.shopId);
  return shops.map((shop) => ({
    ...shopFields(shop),
    samplePaise: samplePricePaise(listsByKind(optionsByShop.get(shop.id) ?? [])),
  }));
}

export async function getShop(ctx: Context, input: { id: string }): Promise<Shop> {
  const [shop, options] = await Promise.all([
    findShop(ctx.readDb, input.id),
    findActiveOptions(ctx.readDb, input.id),
  ]);
  if (!shop) throw new AppError("NOT_FOUND", "This shop was not found");
  const lists = listsByKind(options);
  const wireLists = Object.fromEntries(OPTION_KINDS.map((kind) => [kind, lists[kind].map(wireOption)]));
  return { ...shopFields(shop), ...(wireLists as Record<OptionKind, ShopOption[]>) };
}

/** What the shops of this scope are called, in the order of their names; ids that are no shop's are left out. */
export function listShopNames(db: Db | Trx, scope: ShopScope): Promise<ShopName[]> {
  return findShopNames(db, scope);
}

/** Counts the stars of one of the shop's orders, instead of those that it had `before`: null where it had none. */
export function countRating(
  trx: Trx,
  shopId: string,
  { before, after }: { before: number | null; after: number },
): Promise<void> {
  return addRatings(trx, shopId, { ratings: before === null ? 1 : 0, stars: after - (before ?? 0) });
}

/** How an order names its shop: by id, or by the three fields of the contract. */
export interface ShopReference {
  id?: string | undefined;
  name: string;
  location: string;
  email: string;
}

/**
 * The shop that an order means, with its active options. Throws NOT_FOUND, and CONFLICT where the names are ambiguous or
 * the shop is closed.
 */
export async function resolveShop(
  trx: Trx,
  reference: ShopReference,
): Promise<{ shop: ShopRecord; options: OptionLists }> {
  const shop = reference.id ? await findShop(trx, reference.id) : await findNamedShop(trx, reference);
  if (!shop) throw new AppError("NOT_FOUND", "This shop was not found. Please choose the shop again");
  if (!shop.isOpen) throw new AppError("CONFLICT", closedMessage(shop));
  return { shop, options: listsByKind(await findActiveOptions(trx, shop.id)) };
}

async function findNamedShop(trx: Trx, reference: ShopReference): Promise<ShopRecord | undefined> {
  const [shop, another] = await findShopsNamed(trx, reference);
  if (another) {
    throw new AppError(
      "CONFLICT",
      "More than one shop has this name and place. Please choose the shop again",
    );
  }
  return shop;
}

function closedMessage({ name, closedNote }: ShopRecord): string {
  return `${name} is closed and takes no orders now${closedNote && `: ${closedNote}`}`;
}

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

function wireOption(option: OptionRecord): ShopOption {
  const { id, name, pricePaise, basis, sides } = option;
  return { _id: id, name, price: toRupees(pricePaise), pricePaise, basis, sides };
}
