import type { Db } from "#db/open.ts";
import type { OrderPaymentTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { ShopScope } from "../../context.ts";
import { ofShops } from "./board.queries.ts";

/** An order as far as its payment needs to know it. */
export interface PaidOrder {
  number: string;
  shopId: string;
  state: OrderState;
  /** The name of who marked it as paid. */
  paidBy: string | null;
}

interface Scoped {
  id: string;
  shops: ShopScope;
}

/**
 * Marks one of these shops' orders as paid, or with a null stamp as unpaid. Undefined: it was so already, is cancelled
 * (and can only become unpaid), or is not theirs.
 */
export async function markPaid(
  trx: Trx,
  { id, shops, stamp }: Scoped & { stamp: { at: string; by: string } | null },
): Promise<PaidOrder | undefined> {
  let update = trx
    .updateTable("orders")
    .set({ paid_at: stamp?.at ?? null, paid_by: stamp?.by ?? null })
    .where("id", "=", id)
    .where(ofShops(shops))
    .where("paid_at", stamp ? "is" : "is not", null);
  if (stamp) update = update.where("state", "<>", "cancelled");
  const marked = await update.returning("id").executeTakeFirst();
  return marked && findPaid(trx, { id, shops });
}

export async function findPaid(db: Db | Trx, { id, shops }: Scoped): Promise<PaidOrder | undefined> {
  return db
    .selectFrom("orders")
    .leftJoin("users", "users.id", "orders.paid_by")
    .select(["orders.number", "orders.shop_id as shopId", "orders.state", "users.full_name as paidBy"])
    .where("orders.id", "=", id)
    .where(ofShops(shops))
    .executeTakeFirst();
}

export async function insertPayment(trx: Trx, payment: OrderPaymentTable): Promise<void> {
  await trx.insertInto("order_payments").values(payment).execute();
}

export interface PaymentEntry {
  /** False: that it is paid was taken back. */
  paid: boolean;
  at: string;
  by: string;
}

/** How often staff marked the order as paid and took it back, oldest first. */
export async function findPayments(db: Db, orderId: string): Promise<PaymentEntry[]> {
  const rows = await db
    .selectFrom("order_payments")
    .innerJoin("users", "users.id", "order_payments.by_user_id")
    .select(["paid", "order_payments.created_at as at", "users.full_name as by"])
    .where("order_id", "=", orderId)
    .orderBy("order_payments.created_at")
    .execute();
  return rows.map((row) => ({ ...row, paid: row.paid === 1 }));
}
