import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ShopScope } from "../context.ts";

/** The condition that an order belongs to one of these shops. */
export function ofShops(shops: ShopScope): RawBuilder<SqlBool> {
  if (shops === "all") return sql`1 = 1`;
  return shops.length === 0 ? sql`1 = 0` : sql`orders.shop_id in (${sql.join(shops)})`;
}
