import type { Db } from "#db/open.ts";

/** Which edition of its price list each shop has: equal ones hold the same options. Shops without any are left out. */
export async function findPriceListEditions(db: Db): Promise<Map<string, string>> {
  const rows = await db.selectFrom("price_lists").select(["shop_id", "version", "saved_at"]).execute();
  return new Map(rows.map(({ shop_id, version, saved_at }) => [shop_id, `${version} ${saved_at}`]));
}
