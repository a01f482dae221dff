import type { Db } from "#db/open.ts";
import type { OrderEventTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { ShopScope } from "../context.ts";
import { ofShops } from "./queue.scope-queries.ts";

/** An order as far as a move needs to know it. */
export interface MovedOrder {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  shop: { id: string };
}

export interface WantedMove {
  id: string;
  from: OrderState;
  to: OrderState;
  /** Only an order that reaches its student so is moved. */
  fulfilments: readonly Fulfilment[];
  /** Only an order with this pickup code, which still takes codes, is moved. */
  code?: string | undefined;
  /** An order that is paid is not moved. */
  unpaidOnly?: boolean;
  shops: ShopScope;
  /** When its files are deleted from now on; null where they are not, or at once. */
  filesDeleteAt: string | null;
  /** Only an order whose files are kept until after this moment is moved. */
  filesKeptAt?: string | undefined;
}

/** Moves the order if it still is in the expected state and in one of these shops; undefined otherwise. */
export async function moveOrder(
  trx: Trx,
  { id, from, to, fulfilments, code, unpaidOnly, shops, filesDeleteAt, filesKeptAt }: WantedMove,
): Promise<MovedOrder | undefined> {
  let update = trx
    .updateTable("orders")
    .set({ state: to, files_delete_at: filesDeleteAt })
    .where("id", "=", id)
    .where("state", "=", from)
    .where("fulfilment", "in", fulfilments)
    .where(ofShops(shops));
  if (code !== undefined) {
    update = update.where("pickup_code", "=", code).where("pickup_tries_left", ">", 0);
  }
  if (unpaidOnly) update = update.where("paid_at", "is", null);
  if (filesKeptAt !== undefined) update = update.where("files_delete_at", ">", filesKeptAt);
  const moved = await update.returning("id").executeTakeFirst();
  return moved && findMovable(trx, id);
}

export async function findMovable(db: Db | Trx, id: string): Promise<MovedOrder | undefined> {
  const row = await db
    .selectFrom("orders")
    .select(["id", "number", "state", "fulfilment", "shop_id"])
    .where("id", "=", id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      number: row.number,
      state: row.state,
      fulfilment: row.fulfilment,
      shop: { id: row.shop_id },
    }
  );
}

/** Who brought the order into the state that it is in last, and when. */
export async function findLastMove(
  db: Db | Trx,
  { orderId, state }: { orderId: string; state: OrderState },
): Promise<{ by: string | null; at: string } | undefined> {
  return db
    .selectFrom("order_events")
    .leftJoin("users", "users.id", "order_events.by_user_id")
    .select(["users.full_name as by", "order_events.created_at as at"])
    .where("order_id", "=", orderId)
    .where("state", "=", state)
    .orderBy("order_events.created_at", "desc")
    .orderBy("order_events.id", "desc")
    .executeTakeFirst();
}

export async function insertMove(trx: Trx, event: OrderEventTable): Promise<void> {
  await trx.insertInto("order_events").values(event).execute();
}
