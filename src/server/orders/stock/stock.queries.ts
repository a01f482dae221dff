import type { Db } from "#db/database.ts";
import type { OrderTable } from "#db/schema.ts";
import type { OrderState } from "#shared/order-states.ts";
import { MAX_MOVES } from "#shared/schemas/board.ts";
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

/** How many orders wait to be printed with each option, and in which state. */
export async function countWaiting(
  db: Db,
  shopId: string,
): Promise<{ id: string; state: OrderState; count: number }[]> {
  return waitingOrders(db, shopId)
    .select(["order_lines.option_id as id", "orders.state"])
    .select(({ fn }) => fn.count<number>("orders.id").distinct().as("count"))
    .groupBy(["order_lines.option_id", "orders.state"])
    .execute();
}

/** The oldest orders in these states that wait to be printed with this option. */
export async function findWaiting(
  db: Db,
  { shopId, optionId, states }: { shopId: string; optionId: string; states: readonly OrderState[] },
): Promise<Pick<OrderTable, "id" | "number" | "fulfilment">[]> {
  return (
    waitingOrders(db, shopId)
      .select(["orders.id", "orders.number", "orders.fulfilment"])
      .where("order_lines.option_id", "=", optionId)
      .where("orders.state", "in", states)
      // Several jobs of an order may have the option.
      .groupBy(["orders.id", "orders.number", "orders.fulfilment", "orders.created_at"])
      .orderBy("orders.created_at")
      .limit(MAX_MOVES)
      .execute()
  );
}
