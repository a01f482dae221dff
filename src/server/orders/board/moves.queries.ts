import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert } from "#db/prepared.ts";
import type { OrderMailTable, OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";
import { endHold } from "../holds/holds.queries.ts";
import { updateOrder } from "../orders.queries.ts";
import { insertHistory } from "../placement/placement.queries.ts";

interface Move {
  to: OrderState;
  /** When the grace period of its files ends; null for no grace period. */
  filesDeleteAt?: string | null;
  at: string;
  /** Id of who moves it; null at the end of a visit. */
  by: string | null;
  /** Why it is cancelled. */
  reason?: string | null;
}

/**
 * Moves an order and records it in its history; returns the moved order. A cancellation ends its hold. The caller must hold the
 * order's row lock, and have decided by its row that it may move.
 */
export async function moveOrder<Order extends OrderTable>(
  trx: Trx,
  order: Order,
  { to, filesDeleteAt = null, at, by, reason = null }: Move,
): Promise<Order> {
  const endsHold = to === "cancelled";
  const changes = { state: to, files_delete_at: filesDeleteAt, ...(endsHold && { held_at: null }) };
  const moved = await updateOrder(trx, order, changes);
  if (endsHold) await endHold(trx, { orderId: order.id, how: "cancelled", at });
  await insertHistory(trx, { order_id: order.id, state: to, by_user_id: by, reason, created_at: at });
  return moved;
}

/** The latest move of the order to this state: by whom, when, and why it was cancelled. */
export async function findLastMove(
  db: Db | Trx,
  { orderId, state }: { orderId: string; state: OrderState },
): Promise<{ by: string | null; byUserId: string | null; at: string; reason: string | null } | undefined> {
  return db
    .selectFrom("order_events")
    .leftJoin("users", "users.id", "order_events.by_user_id")
    .select(["users.full_name as by", "by_user_id as byUserId", "order_events.created_at as at", "reason"])
    .where("order_id", "=", orderId)
    .where("state", "=", state)
    .orderBy("order_events.created_at", "desc")
    .orderBy("order_events.id", "desc")
    .executeTakeFirst();
}

const newStateMail = new PreparedInsert((db, rows: Placeholders<OrderMailTable>[]) =>
  db
    .insertInto("order_mails")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["order_id", "state"]).doNothing())
    .returning("order_id"),
);

/** An order and its state. The student gets at most one mail for each state. */
type MailedState = Pick<OrderTable, "id" | "state">;

/** Records the mail about this state of the order. False if it was recorded before. */
export async function insertStateMail(
  trx: Trx,
  { id, state, at }: MailedState & { at: string },
): Promise<boolean> {
  const inserted = await newStateMail.rows(trx, [{ order_id: id, state, mail_id: null, created_at: at }]);
  return inserted.length > 0;
}

/** Records the id of the mail about the state, so that it can be withdrawn. */
export async function linkStateMail(trx: Trx, { id, state }: MailedState, mailId: string): Promise<void> {
  await trx
    .updateTable("order_mails")
    .set({ mail_id: mailId })
    .where("order_id", "=", id)
    .where("state", "=", state)
    .execute();
}

/** The id of the mail about this state; null if there is none that waits before it is sent. */
export async function findStateMail(trx: Trx, { id, state }: MailedState): Promise<string | null> {
  const row = await trx
    .selectFrom("order_mails")
    .select("mail_id")
    .where("order_id", "=", id)
    .where("state", "=", state)
    .executeTakeFirst();
  return row?.mail_id ?? null;
}

/** Deletes the record of the mail about this state and returns the mail's id; null if there is none to withdraw. */
export async function deleteStateMail(trx: Trx, { id, state }: MailedState): Promise<string | null> {
  const forgotten = await trx
    .deleteFrom("order_mails")
    .where("order_id", "=", id)
    .where("state", "=", state)
    .returning("mail_id")
    .executeTakeFirst();
  return forgotten?.mail_id ?? null;
}

/** Ids of the orders whose grace period is over, the longest overdue first. */
export async function findDueOrders(db: Db, at: string): Promise<string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("files_delete_at", "<=", at)
    .orderBy("files_delete_at")
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends an order's grace period; undefined if the order was moved meanwhile or another server ended it first. */
export async function endGrace(trx: Trx, { orderId, at }: { orderId: string; at: string }) {
  return trx
    .updateTable("orders")
    .set({ files_delete_at: null })
    .where("id", "=", orderId)
    .where("files_delete_at", "<=", at)
    .returning(["id", "shop_id", "state"])
    .executeTakeFirst();
}
