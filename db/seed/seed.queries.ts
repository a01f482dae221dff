import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Paise } from "#shared/money.ts";
import type { Basis, OptionKind } from "#shared/options.ts";
import type { SeedShop } from "#shared/schemas/seed.ts";
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
  active: boolean;
}

/** Who seeds, and when: what someone is told who edits the same shop meanwhile. */
export interface SeedAuthor {
  name: string;
  now: Date;
}

export async function upsertShop(trx: Trx, shop: SeedShop, { name, now }: SeedAuthor): Promise<Outcome> {
  const fields = {
    name: shop.shopName,
    location: shop.shopLocation,
    college: shop.college,
    image: shop.shopImage,
    rating_tenths: shop.ratings,
    per_page_paise: shop.perPageCost,
    email: shop.email,
    contact_number: shop.contactNumber,
    ...(shop.upiId !== undefined && { upi_id: shop.upiId }),
    ...(shop.offersPickup !== undefined && {
      offers_pickup: shop.offersPickup ? (1 as const) : (0 as const),
    }),
  };
  const created = await trx
    .insertInto("shops")
    .values({ id: shop.id, ...fields, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (created) return "created";
  const updated = await trx
    .updateTable("shops")
    .set((shops) => ({
      ...fields,
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

export async function upsertOption(trx: Trx, option: SeedOption): Promise<Outcome> {
  const identity = { shop_id: option.shopId, kind: option.kind, name: option.name };
  const fields = {
    price_paise: option.price,
    basis: option.basis,
    sides: option.sides ?? 1,
    position: option.position,
    active: option.active ? (1 as const) : (0 as const),
  };
  const created = await trx
    .insertInto("shop_options")
    .values({ id: randomUUID(), ...identity, ...fields })
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

/** Switches off the active options of one list whose names are not among `names`; answers how many. */
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

/** Lets everyone who is editing this price list know that it is no longer what they began with. */
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
