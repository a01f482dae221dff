import type { Db } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import { toRupees } from "#shared/money.ts";
import { mapKinds, type OptionKind } from "#shared/options.ts";
import { shopStars } from "#shared/ratings.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import {
  SHOPS_PER_PAGE,
  type Shop,
  type ShopCard,
  type ShopListInput,
  type ShopOption,
  type ShopPage,
  type ShopPageInput,
} from "#shared/schemas/shops.ts";
import { type Context, type ShopScope, shopNotFound } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  addRatings,
  findActiveOptions,
  findOptionsNamed,
  findShop,
  findShopNames,
  findShopsNamed,
  type OptionNames,
  type OptionRecord,
  type ShopName,
  type ShopRecord,
  searchShopNames,
} from "./shops.queries.ts";

/** Shops that match every word of the search, sorted: all of them, or a page after `after`. */
export async function listShops(ctx: Context, wanted: ShopListInput): Promise<ShopCard[]> {
  const found = await ctx.shopCache.find(wanted);
  return partOf(found, wanted);
}

/** One page of the grid. */
export async function findShopPage(ctx: Context, { cursor, ...wanted }: ShopPageInput): Promise<ShopPage> {
  const found = await ctx.shopCache.find(wanted);
  const shops = partOf(found, { after: cursor ?? undefined, limit: SHOPS_PER_PAGE });
  const last = shops.at(-1);
  return { shops, total: found.length, next: last && last !== found.at(-1) ? last._id : null };
}

/** Throws NOT_FOUND when `after` is not, or no longer, in the list. */
function partOf(
  shops: ShopCard[],
  { after, limit = shops.length }: { after?: string | undefined; limit?: number | undefined },
): ShopCard[] {
  if (after === undefined) return shops.slice(0, limit);
  const place = shops.findIndex(({ _id }) => _id === after);
  if (place < 0)
    throw new AppError("NOT_FOUND", "The list has changed. Please start again from the first page");
  return shops.slice(place + 1, place + 1 + limit);
}

export async function getShop(ctx: Context, input: { id: string }): Promise<Shop> {
  const [shop, options] = await Promise.all([
    requireShownShop(ctx.readDb, input.id),
    findActiveOptions(ctx.readDb, input.id),
  ]);
  const lists = listsByKind(options);
  return { ...wireShop(shop), ...mapKinds((kind) => lists[kind].map(wireOption)) };
}

/** A shop that students see. Throws NOT_FOUND for any other. */
export async function requireShownShop(db: Db | Trx, id: string): Promise<ShopRecord> {
  const shop = await findShop(db, id);
  if (!shop) throw shopNotFound();
  return shop;
}

/** The options that a shop offers now. */
export function listOffered(db: Db | Trx, shopId: string): Promise<OptionRecord[]> {
  return findActiveOptions(db, shopId);
}

/** The names of the shops in this scope, sorted; unknown ids are left out. */
export function listShopNames(db: Db | Trx, scope: ShopScope): Promise<ShopName[]> {
  return findShopNames(db, scope);
}

/** One page of the names of the shops in this scope that match a search, as they are in fields that choose shops. */
export async function findShopChoices(
  db: Db | Trx,
  scope: ShopScope,
  search: string,
): Promise<{ shops: ShopName[]; hasMore: boolean }> {
  const found = await searchShopNames(db, scope, search);
  return { shops: found.slice(0, LIST_ROWS), hasMore: found.length > LIST_ROWS };
}

/** Adds a rating to the shop's totals. `before` is the order's earlier rating, which it replaces; null if none. */
export function countRating(
  trx: Trx,
  shopId: string,
  { before, after }: { before: number | null; after: number },
): Promise<void> {
  return addRatings(trx, shopId, { ratings: before === null ? 1 : 0, stars: after - (before ?? 0) });
}

/** How an order refers to its shop: by id, or by the three fields of the contract. */
interface ShopReference {
  id?: string | undefined;
  name: string;
  location: string;
  email: string;
}

/**
 * The shop of an order, with its active options, at least those that have the names of a job. Throws NOT_FOUND, and CONFLICT when
 * several shops have these names or the shop is closed.
 */
export async function resolveShop(
  trx: Trx,
  reference: ShopReference,
  names: readonly OptionNames[],
): Promise<{ shop: ShopRecord; options: OptionLists }> {
  const shop = reference.id ? await findShop(trx, reference.id) : await findNamedShop(trx, reference);
  if (!shop) throw new AppError("NOT_FOUND", "This shop was not found. Please choose the shop again");
  if (!shop.isOpen) throw new AppError("CONFLICT", closedMessage(shop));
  const [only, ...others] = names;
  const options =
    only && others.length === 0
      ? await findOptionsNamed(trx, shop.id, only)
      : await findActiveOptions(trx, shop.id);
  return { shop, options: listsByKind(options) };
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

/** Tells students why they cannot order at a shop that is closed. */
export function closedMessage({ name, closedNote }: ShopRecord): string {
  return `${name} is closed and takes no orders right now${closedNote && `: ${closedNote}`}`;
}

export type OptionLists = Record<OptionKind, OptionRecord[]>;

export function listsByKind(options: OptionRecord[]): OptionLists {
  const groups = Map.groupBy(options, (option) => option.kind);
  return mapKinds((kind) => groups.get(kind) ?? []);
}

/** What the API says of a shop, on its card and on its page. */
export function wireShop(shop: ShopRecord) {
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
    openingHours: shop.openingHours,
  };
}

function wireOption(option: OptionRecord): ShopOption {
  const { id, name, pricePaise, basis, sides, inColour, isOut } = option;
  const marks = { ...(inColour && { inColour }), ...(isOut && { isOut }) };
  return { _id: id, name, price: toRupees(pricePaise), pricePaise, basis, sides, ...marks };
}
