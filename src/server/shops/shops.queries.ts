import type { Selectable } from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { ShopOptionTable, ShopTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { foldText } from "#shared/fold-text.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PricedOption } from "#shared/pricing.ts";
import type { ShopScope } from "../context.ts";

export interface ShopRecord {
  id: string;
  name: string;
  location: string;
  college: string;
  image: string;
  /** The rating set by staff, in tenths of a star. */
  staffTenths: number;
  /** The number of ratings by students, and the sum of their stars. */
  ratingCount: number;
  starSum: number;
  perPagePaise: number;
  email: string;
  /** Orders are mailed here; empty until it is confirmed. */
  orderEmail: string;
  contactNumber: string;
  isOpen: boolean;
  closedNote: string;
  /** The shop's UPI ID; empty when it takes no UPI payments. */
  upiId: string;
  offersPickup: boolean;
  openingHours: string;
  /** Whether people at its counter may order without an account. */
  counterOn: boolean;
  /** Raised with every new code of the counter. */
  counterVersion: number;
}

export interface OptionRecord extends PricedOption {
  id: string;
  shopId: string;
  kind: OptionKind;
  /** Whether it prints in colour; only of `printedColours`. */
  inColour: boolean;
  /** Whether the shop has run out of it for now. */
  isOut: boolean;
}

const shopOfId = new PreparedQuery((db, { id }: Placeholders<{ id: string }>) =>
  shownShops(db).where("id", "=", id),
);
const shopsOfName = new PreparedQuery(
  (db, { name, location, email }: Placeholders<{ name: string; location: string; email: string }>) =>
    shownShops(db).where("name", "=", name).where("location", "=", location).where("email", "=", email),
);
const optionsOfShop = new PreparedQuery((db, { shopId }: Placeholders<{ shopId: string }>) =>
  activeOptions(db).where("shop_id", "=", shopId),
);

const optionsOfNames = new PreparedQuery((db, chosen: Placeholders<{ shopId: string } & OptionNames>) =>
  activeOptions(db)
    .where("shop_id", "=", chosen.shopId)
    .where((eb) =>
      eb.or(OPTION_KINDS.map((kind) => eb.and([eb("kind", "=", kind), eb("name", "=", chosen[kind])]))),
    ),
);

/** All shops that are not hidden, by name. */
export async function findShownShops(db: Db | Trx): Promise<ShopRecord[]> {
  const rows = await shownShops(db).orderBy("name").orderBy("id").execute();
  return rows.map(toShopRecord);
}

/** The shop, unless it is hidden. */
export async function findShop(db: Db | Trx, id: string): Promise<ShopRecord | null> {
  const row = await shopOfId.first(db, { id });
  return row ? toShopRecord(row) : null;
}

/** The name of the chosen option from each list. */
export type OptionNames = Record<OptionKind, string>;

export interface ShopName {
  id: string;
  name: string;
  location: string;
}

/** The names of all shops, or of those with these ids, sorted. */
export async function findShopNames(db: Db | Trx, scope: ShopScope): Promise<ShopName[]> {
  return db
    .selectFrom("shops")
    .select(["id", "name", "location"])
    .where(isOneOf("id", scope))
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** The shops of this scope whose name, place or college has all words of the search, sorted. */
export async function searchShopNames(db: Db | Trx, scope: ShopScope, search: string): Promise<ShopName[]> {
  const words = foldText(search).split(" ");
  const shops = await db
    .selectFrom("shops")
    .select(["id", "name", "location", "college"])
    .where(isOneOf("id", scope))
    .orderBy("name")
    .orderBy("id")
    .execute();
  return shops.flatMap(({ college, ...shop }) => {
    const text = foldText(`${shop.name}, ${shop.location}, ${college}`);
    return words.every((word) => text.includes(word)) ? shop : [];
  });
}

/** Visible shops with exactly this name, location and e-mail; more than one when staff listed a shop twice. */
export async function findShopsNamed(
  db: Db | Trx,
  shop: { name: string; location: string; email: string },
): Promise<ShopRecord[]> {
  const { name, location, email } = shop;
  const rows = await shopsOfName.rows(db, { name, location, email });
  return rows.map(toShopRecord);
}

/** Active options of a shop, in the order of the price list. */
export async function findActiveOptions(db: Db | Trx, shopId: string): Promise<OptionRecord[]> {
  const rows = await optionsOfShop.rows(db, { shopId });
  return rows.map(toOptionRecord);
}

/** The active options of these shops. */
export async function findActiveOptionsOf(db: Db, shops: ShopScope): Promise<OptionRecord[]> {
  const rows = await activeOptions(db).where(isOneOf("shop_id", shops)).execute();
  return rows.map(toOptionRecord);
}

/** A shop's active options with these names; some lists may have no match. */
export async function findOptionsNamed(
  db: Db | Trx,
  shopId: string,
  names: OptionNames,
): Promise<OptionRecord[]> {
  const rows = await optionsOfNames.rows(db, { shopId, ...names });
  return rows.map(toOptionRecord);
}

/** Adds to a shop's number of ratings and sum of stars. */
export async function addRatings(
  trx: Trx,
  id: string,
  added: { ratings: number; stars: number },
): Promise<void> {
  await trx
    .updateTable("shops")
    .set((eb) => ({
      rating_count: eb("rating_count", "+", added.ratings),
      star_sum: eb("star_sum", "+", added.stars),
    }))
    .where("id", "=", id)
    .execute();
}

function activeOptions(db: Db | Trx) {
  return db
    .selectFrom("shop_options")
    .selectAll()
    .where("active", "=", 1)
    .orderBy("shop_id")
    .orderBy("kind")
    .orderBy("position")
    .orderBy("id");
}

function shownShops(db: Db | Trx) {
  return db.selectFrom("shops").selectAll().where("hidden", "=", 0);
}

export function toShopRecord(row: Selectable<ShopTable>): ShopRecord {
  return {
    id: row.id,
    name: row.name,
    location: row.location,
    college: row.college,
    image: row.image,
    staffTenths: row.rating_tenths,
    ratingCount: row.rating_count,
    starSum: row.star_sum,
    perPagePaise: row.per_page_paise,
    email: row.email,
    orderEmail: row.order_email,
    contactNumber: row.contact_number,
    isOpen: row.is_open === 1,
    closedNote: row.closed_note,
    upiId: row.upi_id,
    offersPickup: row.offers_pickup === 1,
    openingHours: row.opening_hours,
    counterOn: row.counter_on === 1,
    counterVersion: row.counter_version,
  };
}

function toOptionRecord(row: Selectable<ShopOptionTable>): OptionRecord {
  return {
    id: row.id,
    shopId: row.shop_id,
    kind: row.kind,
    name: row.name,
    pricePaise: row.price_paise,
    basis: row.basis,
    sides: row.sides,
    inColour: row.in_colour === 1,
    isOut: row.out_since !== null,
  };
}

/** A number that grows with every change of what guests see of a shop, its price list or its ratings. */
export async function findCatalogueVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom("catalogue").select("version").executeTakeFirstOrThrow();
  return version;
}

/**
 * The version of each shop's price list: the same version means the same options. Shops whose list nobody saved are
 * left out.
 */
export async function findPriceListVersions(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom("price_lists").select(["shop_id", "version", "saved_at"]).execute();
  return new Map(rows.map(({ shop_id, version, saved_at }) => [shop_id, `${version} ${saved_at}`]));
}

/** The active options that each shop has run out of; other shops are left out. */
export async function findOptionsOut(db: Db): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom("shop_options")
    .select(["shop_id", "id"])
    .where("out_since", "is not", null)
    .where("active", "=", 1)
    .execute();
  const byShop = Map.groupBy(rows, ({ shop_id }) => shop_id);
  return new Map([...byShop].map(([shopId, options]) => [shopId, options.map(({ id }) => id)]));
}
