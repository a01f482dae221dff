import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { type Paise, toRupees } from "#shared/money.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { shopStars } from "#shared/ratings.ts";
import { samplePricePaise } from "#shared/sample-job.ts";
import {
  SHOPS_PER_PAGE,
  type Shop,
  type ShopCard,
  type ShopListInput,
  type ShopOption,
  type ShopPage,
  type ShopPageInput,
} from "#shared/schemas/shops.ts";
import type { Context, ShopScope } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  addRatings,
  findActiveOptions,
  findActiveOptionsOf,
  findOptionsNamed,
  findPriceListEditions,
  findShop,
  findShopNames,
  findShopsNamed,
  type OptionNames,
  type OptionRecord,
  type ShopName,
  type ShopRecord,
} from "./shops.queries.ts";

/** Shops that have every word of the search, in the wanted order: all, or so many behind another. */
export async function listShops(ctx: Context, wanted: ShopListInput): Promise<ShopCard[]> {
  const found = await ctx.directory.find(wanted);
  return partOf(found, wanted);
}

/** One page of the grid. */
export async function findShopPage(ctx: Context, { cursor, ...wanted }: ShopPageInput): Promise<ShopPage> {
  const found = await ctx.directory.find(wanted);
  const shops = partOf(found, { after: cursor ?? undefined, limit: SHOPS_PER_PAGE });
  const last = shops.at(-1);
  return { shops, total: found.length, next: last && last !== found.at(-1) ? last._id : null };
}

/** Throws NOT_FOUND where `after` is no shop of the list, or not any more. */
function partOf(
  shops: ShopCard[],
  { after, limit = shops.length }: { after?: string | undefined; limit?: number | undefined },
): ShopCard[] {
  if (after === undefined) return shops.slice(0, limit);
  const place = shops.findIndex(({ _id }) => _id === after);
  if (place < 0)
    throw new AppError("NOT_FOUND", "The list has changed meanwhile. Please read it from the beginning");
  return shops.slice(place + 1, place + 1 + limit);
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
 * The shop that an order means, with those of its active options that have these names. Throws NOT_FOUND, and CONFLICT
 * where the shop's names are ambiguous or it is closed.
 */
export async function resolveShop(
  trx: Trx,
  reference: ShopReference,
  names: OptionNames,
): Promise<{ shop: ShopRecord; options: OptionLists }> {
  const shop = reference.id ? await findShop(trx, reference.id) : await findNamedShop(trx, reference);
  if (!shop) throw new AppError("NOT_FOUND", "This shop was not found. Please choose the shop again");
  if (!shop.isOpen) throw new AppError("CONFLICT", closedMessage(shop));
  return { shop, options: listsByKind(await findOptionsNamed(trx, shop.id, names)) };
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

/** Of so many shops the options are read at once. */
const SHOPS_AT_ONCE = 200;

/** What the sample job costs at a shop; null where it cannot be done there. */
export interface Sample {
  /** The edition of the price list by which it was reckoned; undefined where nobody saved one. */
  edition: string | undefined;
  paise: Paise | null;
}

/** The samples of these shops: those known of the present edition as they are, the others reckoned anew. */
export async function readSamples(
  db: Db,
  shopIds: readonly string[],
  known: ReadonlyMap<string, Sample>,
): Promise<Map<string, Sample>> {
  // Before the options: a change meanwhile makes these an older edition's.
  const editions = await findPriceListEditions(db);
  const samples = new Map<string, Sample>();
  const unknown: string[] = [];
  for (const id of shopIds) {
    const sample = known.get(id);
    if (sample && sample.edition === editions.get(id)) samples.set(id, sample);
    else unknown.push(id);
  }
  for (let start = 0; start < unknown.length; start += SHOPS_AT_ONCE) {
    const ids = unknown.slice(start, start + SHOPS_AT_ONCE);
    const byShop = Map.groupBy(await findActiveOptionsOf(db, ids), ({ shopId }) => shopId);
    for (const id of ids) {
      const paise = samplePricePaise(listsByKind(byShop.get(id) ?? []));
      samples.set(id, { edition: editions.get(id), paise });
    }
  }
  return samples;
}

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

function wireOption(option: OptionRecord): ShopOption {
  const { id, name, pricePaise, basis, sides } = option;
  return { _id: id, name, price: toRupees(pricePaise), pricePaise, basis, sides };
}
