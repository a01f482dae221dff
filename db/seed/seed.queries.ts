import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { DAY_MS } from "#shared/durations.ts";
import { foldText, nameKey } from "#shared/fold-text.ts";
import type { Paise } from "#shared/money.ts";
import { type Basis, isColourName, MAX_OPTIONS, type OptionKind } from "#shared/options.ts";
import type { SeedShop } from "#shared/schemas/seed.ts";
import type { ShopDetails } from "#shared/schemas/shop-details.ts";
import type { Trx } from "../transaction.ts";

export type Outcome = "created" | "updated" | "unchanged";

interface SeedOption {
  shopId: string;
  kind: OptionKind;
  position: number;
  name: string;
  price: Paise;
  basis: Basis;
  sides?: 1 | 2;
  inColour?: boolean | undefined;
  active: boolean;
}

/** Who seeds, and when; shown to people who are editing the same shop. */
export interface SeedAuthor {
  name: string;
  now: Date;
  /** The operator's: an e-mail that the file gives a shop anew needs no confirmation. */
  isOperator?: boolean;
}

/** The columns of a shop's details. What a seed file leaves out is undefined, which Kysely neither stores nor compares. */
export function detailColumns(details: ShopDetails | SeedShop) {
  const { offersPickup, separatesFiles } = details;
  return {
    name: details.shopName,
    location: details.shopLocation,
    college: details.college,
    image: details.shopImage,
    rating_tenths: details.ratings,
    per_page_paise: details.perPageCost,
    email: details.email,
    contact_number: details.contactNumber,
    upi_id: details.upiId,
    offers_pickup: offersPickup === undefined ? undefined : flagOf(offersPickup),
    separates_files: separatesFiles === undefined ? undefined : flagOf(separatesFiles),
    opening_hours: details.openingHours,
  };
}

export async function upsertShop(
  trx: Trx,
  shop: SeedShop,
  { name, now, isOperator }: SeedAuthor,
): Promise<Outcome> {
  const fields = detailColumns(shop);
  const created = await trx
    .insertInto("shops")
    .values({
      id: shop.id,
      ...fields,
      order_email: isOperator ? shop.email : "",
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created) return "created";
  const updated = await trx
    .updateTable("shops")
    .set((shops) => ({
      ...fields,
      ...(isOperator && { order_email: orderEmailAfter(shop.email) }),
      version: shops("version", "+", 1),
      saved_by: name,
      saved_at: now.toISOString(),
    }))
    .where("id", "=", shop.id)
    .where(({ not, and }) => not(and(fields)))
    .returning("id")
    .executeTakeFirst();
  return updated ? "updated" : "unchanged";
}

/** An e-mail that staff entered stays unconfirmed while the file only repeats it. */
function orderEmailAfter(email: string) {
  return sql<string>`case when email = ${email} then order_email else ${email} end`;
}

export async function upsertOption(trx: Trx, option: SeedOption): Promise<Outcome> {
  const identity = { shop_id: option.shopId, kind: option.kind, name: option.name };
  const fields = {
    price_paise: option.price,
    basis: option.basis,
    sides: option.sides ?? 1,
    position: option.position,
    active: flagOf(option.active),
    ...(option.inColour !== undefined && { in_colour: flagOf(option.inColour) }),
  };
  const named = flagOf(option.kind === "printedColours" && isColourName(option.name));
  const created = await trx
    .insertInto("shop_options")
    .values({ id: randomUUID(), ...identity, in_colour: named, ...fields })
    .onConflict((conflict) => conflict.columns(["shop_id", "kind", "name"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created) return "created";
  const updated = await trx
    .updateTable("shop_options")
    .set(fields)
    .where(({ and }) => and(identity))
    .where(({ not, and }) => not(and(fields)))
    .returning("id")
    .executeTakeFirst();
  return updated ? "updated" : "unchanged";
}

/**
 * Gives options of a list these names where theirs differ by case, width or spaces only, and no other has the name already;
 * returns the names given.
 */
export async function renameAlike(
  trx: Trx,
  { shopId, kind, names }: Pick<SeedOption, "shopId" | "kind"> & { names: readonly string[] },
): Promise<Set<string>> {
  const list = await trx
    .selectFrom("shop_options")
    .select(["id", "name"])
    .where(({ and }) => and({ shop_id: shopId, kind }))
    .execute();
  const renamed = new Set<string>();
  for (const name of names) {
    if (list.some((option) => option.name === name)) continue;
    const alike = list.find((option) => foldText(option.name) === foldText(name));
    if (!alike) continue;
    await trx.updateTable("shop_options").set({ name }).where("id", "=", alike.id).execute();
    renamed.add(name);
  }
  return renamed;
}

function flagOf(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

/** Deactivates the options of one list whose names are not among `names`; returns how many. */
export async function deactivateOptionsExcept(
  trx: Trx,
  shopId: string,
  kind: OptionKind,
  names: readonly string[],
): Promise<number> {
  const rows = await trx
    .updateTable("shop_options")
    .set({ active: 0 })
    .where(({ and }) => and({ shop_id: shopId, kind, active: 1 as const }))
    .where("name", "not in", names)
    .returning("id")
    .execute();
  return rows.length;
}

/** The kind and length of a list of the shop that is too long to be saved; inactive options count too. */
export function findTooLongList(trx: Trx, shopId: string) {
  return trx
    .selectFrom("shop_options")
    .select(({ fn }) => ["kind", fn.countAll<number>().as("count")])
    .where("shop_id", "=", shopId)
    .groupBy("kind")
    .having(({ fn }) => fn.countAll(), ">", MAX_OPTIONS)
    .executeTakeFirst();
}

/** Raises the version, so that people who are editing this price list get a version conflict. */
export async function raisePriceListVersion(
  trx: Trx,
  shopId: string,
  { name, now }: SeedAuthor,
): Promise<void> {
  const saved = { saved_by: name, saved_at: now.toISOString() };
  await trx
    .insertInto("price_lists")
    .values({ shop_id: shopId, version: 1, ...saved })
    .onConflict((conflict) =>
      conflict.column("shop_id").doUpdateSet(({ ref }) => ({
        version: sql`${ref("price_lists.version")} + 1`,
        ...saved,
      })),
    )
    .execute();
}

/** How long a shop keeps its former name: another shop with it would receive orders that were begun before. */
const RESERVED_DAYS = 30;

interface NamedShop {
  shopId: string;
  name: string;
  location: string;
  now: Date;
}

/** Registers a shop's name and place and reserves its former ones. False if they belong to another shop, or did lately. */
export async function claimShopName(trx: Trx, { shopId, name, location, now }: NamedShop): Promise<boolean> {
  const key = { name_key: nameKey(name), location_key: nameKey(location) };
  const free = new Date(now.getTime() - RESERVED_DAYS * DAY_MS).toISOString();
  const claimed = await trx
    .insertInto("shop_names")
    .values({ ...key, shop_id: shopId, released_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(["name_key", "location_key"])
        .doUpdateSet({ shop_id: shopId, released_at: null })
        .where((eb) =>
          eb.or([eb("shop_names.shop_id", "=", shopId), eb("shop_names.released_at", "<=", free)]),
        ),
    )
    .returning("shop_id")
    .executeTakeFirst();
  if (!claimed) return false;
  await trx
    .updateTable("shop_names")
    .set({ released_at: now.toISOString() })
    .where("shop_id", "=", shopId)
    .where("released_at", "is", null)
    .where(({ not, and }) => not(and(key)))
    .execute();
  return true;
}
