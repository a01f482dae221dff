import type { Db } from "#db/database.ts";
import type { OrderHoldTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Hold, HoldEnd } from "#shared/holds.ts";
import type { OrderState } from "#shared/order-states.ts";
import { MAX_MOVES } from "#shared/schemas/board.ts";
import { IS_OPEN, IS_TO_PRINT, isOrderOf } from "../orders.queries.ts";

/** A hold with who set it and how it ended, for staff. */
export interface HoldRecord extends Hold {
  by: string;
  resolvedAt: string | null;
  how: HoldEnd | null;
}

function holdsOf(db: Db | Trx, orderId: string) {
  return db
    .selectFrom("order_holds")
    .innerJoin("users", "users.id", "order_holds.by_user_id")
    .select(["order_holds.id", "reason", "order_holds.created_at as at", "users.full_name as by"])
    .select(["answer", "answered_at as answeredAt", "resolved_at as resolvedAt", "how"])
    .where("order_id", "=", orderId);
}

/** All holds of an order, newest first. */
export async function findHolds(db: Db | Trx, orderId: string): Promise<HoldRecord[]> {
  return holdsOf(db, orderId).orderBy("order_holds.created_at", "desc").orderBy("order_holds.id").execute();
}

/** The hold that the order is on now. */
export async function findOpenHold(db: Db | Trx, orderId: string): Promise<HoldRecord | undefined> {
  return holdsOf(db, orderId).where("resolved_at", "is", null).executeTakeFirst();
}

export async function insertHold(trx: Trx, hold: OrderHoldTable): Promise<void> {
  await trx.insertInto("order_holds").values(hold).execute();
}

/** Stores the student's answer. */
export async function answerHold(
  trx: Trx,
  { holdId, answer, at }: { holdId: string; answer: string; at: string },
): Promise<void> {
  await trx.updateTable("order_holds").set({ answer, answered_at: at }).where("id", "=", holdId).execute();
}

/** Ends the order's open hold, if there is one. The caller clears `orders.held_at`. */
export async function endHold(
  trx: Trx,
  { orderId, how, at }: { orderId: string; how: HoldEnd; at: string },
): Promise<void> {
  await trx
    .updateTable("order_holds")
    .set({ resolved_at: at, how })
    .where("order_id", "=", orderId)
    .where("resolved_at", "is", null)
    .execute();
}

/** All holds of this user's orders, oldest first, with their order. */
export async function findHoldsOf(db: Db, userId: string): Promise<OrderHoldTable[]> {
  return db
    .selectFrom("order_holds")
    .innerJoin("orders", "orders.id", "order_holds.order_id")
    .selectAll("order_holds")
    .where("orders.user_id", "=", userId)
    .orderBy("order_holds.created_at")
    .execute();
}

/** Deletes the holds of this user's orders. An open one stays: without it nobody could release its order. */
export async function deleteHoldsOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("order_holds").where("resolved_at", "is not", null).where(isOrderOf(userId)).execute();
}

/** Orders of a shop whose prints are not made yet and that wait for nobody, by the options that they need. */
function ordersToPrint(db: Db, shopId: string) {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .where("orders.shop_id", "=", shopId)
    .where(IS_OPEN)
    .where(IS_TO_PRINT);
}

/** How many orders wait to be printed with each option, and in which state. */
export async function countToPrint(
  db: Db,
  shopId: string,
): Promise<{ id: string; state: OrderState; count: number }[]> {
  return ordersToPrint(db, shopId)
    .select(["order_lines.option_id as id", "orders.state"])
    .select(({ fn }) => fn.count<number>("orders.id").distinct().as("count"))
    .groupBy(["order_lines.option_id", "orders.state"])
    .execute();
}

/** The oldest orders in these states that wait to be printed with this option. */
export async function findToPrint(
  db: Db,
  { shopId, optionId, states }: { shopId: string; optionId: string; states: readonly OrderState[] },
): Promise<Pick<OrderTable, "id" | "number" | "fulfilment">[]> {
  return (
    ordersToPrint(db, shopId)
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
