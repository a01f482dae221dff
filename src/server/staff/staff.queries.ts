import type { Db } from "#db/open.ts";

export async function findShopIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom("shop_staff").select("shop_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.shop_id);
}
