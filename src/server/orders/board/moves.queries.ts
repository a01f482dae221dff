import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert } from "#db/prepared.ts";
import type { OrderMailTable, OrderTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { type Fulfilment, mayMoveHeld, type OrderState } from "#shared/order-states.ts";
import type { ShopScope } from "../../context.ts";
import { endHold } from "../holds/holds.queries.ts";
import { findOrder, type OrderRow } from "../orders.queries.ts";
import { insertHistory } from "../placement/placement.queries.ts";

export interface WantedMove {
  id: string;
  from: OrderState;
  to: OrderState;
  /** Moves only an order with one of these fulfilments. */
  fulfilments: readonly Fulfilment[];
  /** Moves only an order with this pickup code and with tries left. */
  code?: string | undefined;
  /** Does not move an order for which the shop holds money. */
  unpaidOnly?: boolean;
  shops: ShopScope;
  /** When the grace period of its files ends; null for no grace period. */
  filesDeleteAt: string | null;
  /** Moves only an order whose files are kept until after this time. */
  filesKeptAt?: string | undefined;
  at: string;
  /** Id of who moves it; null at the end of a visit. */
  by: string | null;
  /** Why it is cancelled. */
  reason: string | null;
}

/**
 * Moves the order and records it in its history, if it is still in the expected state, in one of these shops and not on hold;
 * otherwise undefined. A cancellation ends its hold.
 */
export async function moveOrder(
  trx: Trx,
  {
    id,
    from,
    to,
    fulfilments,
    code,
    unpaidOnly,
    shops,
    filesDeleteAt,
    filesKeptAt,
    at,
    by,
    reason,
  }: WantedMove,
): Promise<OrderRow | undefined> {
  const endsHold = to === "cancelled";
  let update = trx
    .updateTable("orders")
    .set({ state: to, files_delete_at: filesDeleteAt, ...(endsHold && { held_at: null }) })
    .where("id", "=", id)
    .where("state", "=", from)
    .where("fulfilment", "in", fulfilments)
    .where(isOneOf("orders.shop_id", shops));
  if (code !== undefined) {
    update = update.where("pickup_code", "=", code).where("pickup_tries_left", ">", 0);
  }
  if (unpaidOnly) update = update.where("paid_paise", "=", 0);
  if (!mayMoveHeld(from, to)) update = update.where("held_at", "is", null);
  if (filesKeptAt !== undefined) update = update.where("files_delete_at", ">", filesKeptAt);
  if (!(await update.returning("id").executeTakeFirst())) return undefined;
  if (endsHold) await endHold(trx, { orderId: id, how: "cancelled", at });
  await insertHistory(trx, { order_id: id, state: to, by_user_id: by, reason, created_at: at });
  return findOrder(trx, { id });
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

/** Subtracts one try for the pickup code and returns how many are left. The caller must hold the order's row lock. */
export async function consumePickupTry(trx: Trx, id: string): Promise<number> {
  const { triesLeft } = await trx
    .updateTable("orders")
    .set((orders) => ({ pickup_tries_left: orders("pickup_tries_left", "-", 1) }))
    .where("id", "=", id)
    .returning("pickup_tries_left as triesLeft")
    .executeTakeFirstOrThrow();
  return triesLeft;
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
