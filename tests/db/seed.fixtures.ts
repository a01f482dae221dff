import type { Db } from "#db/database.ts";
import type { OptionKind } from "#shared/options.ts";
import type { SeedFile, SeedShop } from "#shared/schemas/seed.ts";

/** The same file with one shop changed. */
export function withShop(
  file: SeedFile,
  id: string,
  change: (shop: SeedShop) => Partial<SeedShop>,
): SeedFile {
  return { shops: file.shops.map((shop) => (shop.id === id ? { ...shop, ...change(shop) } : shop)) };
}

/** Every row that a seed may touch. */
export async function snapshot(db: Db) {
  return {
    shops: await db.selectFrom("shops").selectAll().orderBy("id").execute(),
    options: await db.selectFrom("shop_options").selectAll().orderBy("id").execute(),
  };
}

export function findOption(db: Db, shopId: string, kind: OptionKind, name: string) {
  return db
    .selectFrom("shop_options")
    .selectAll()
    .where(({ and }) => and({ shop_id: shopId, kind, name }))
    .executeTakeFirst();
}

export function activeOptions(db: Db, shopId: string, kind: OptionKind) {
  return db
    .selectFrom("shop_options")
    .select(["name", "price_paise", "basis", "sides", "position"])
    .where(({ and }) => and({ shop_id: shopId, kind, active: 1 as const }))
    .orderBy("position")
    .execute();
}
