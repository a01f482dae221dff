import { nameKey } from "#shared/fold-text.ts";
import type { Trx } from "./transaction.ts";

/** How long a name that a shop has given up stays its own: whoever took it would catch orders that were begun before. */
const RESERVED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

interface NamedShop {
  shopId: string;
  name: string;
  location: string;
  now: Date;
}

/** Gives a shop its name and place, and reserves those that it had. False: another shop has them, or had them until lately. */
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
