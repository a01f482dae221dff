import type { Db } from "#db/database.ts";
import { IS_OPEN, IS_TO_PRINT } from "../orders.queries.ts";

/** Orders of a shop whose prints are not made yet and that wait for nobody, by the options that they need. */
function waitingOrders(db: Db, shopId: string) {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .where("orders.shop_id", "=", shopId)
    .where(IS_OPEN)
    .where(IS_TO_PRINT);
}

/** How many orders wait to be printed with each option, by option id. */
export async function countWaiting(db: Db, shopId: string): Promise<Map<string, number>> {
  const rows = await waitingOrders(db, shopId)
    .select(({ fn }) => ["order_lines.option_id as id", fn.count<number>("orders.id").distinct().as("count")])
    .groupBy("order_lines.option_id")
    .execute();
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** The oldest orders that wait to be printed with this option. */
export async function findWaiting(
  db: Db,
  { shopId, optionId, limit }: { shopId: string; optionId: string; limit: number },
): Promise<{ id: string; number: string }[]> {
  return (
    waitingOrders(db, shopId)
      .select(["orders.id", "orders.number"])
      .where("order_lines.option_id", "=", optionId)
      // Several jobs of an order may have the option.
      .groupBy(["orders.id", "orders.number", "orders.created_at"])
      .orderBy("orders.created_at")
      .limit(limit)
      .execute()
  );
}
