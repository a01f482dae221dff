import type { Db } from "#db/open.ts";
import type { OrderPaymentTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { ShopScope } from "../../context.ts";
import { inShops } from "../orders.queries.ts";

interface Payment {
  id: string;
  shops: ShopScope;
  /** Null to mark it as unpaid. */
  stamp: { at: string; by: string } | null;
}

/** Marks an order of these shops as paid or unpaid. False if it is so already, or is cancelled and cannot be paid. */
export async function markPaid(trx: Trx, { id, shops, stamp }: Payment): Promise<boolean> {
  let update = trx
    .updateTable("orders")
    .set({ paid_at: stamp?.at ?? null, paid_by: stamp?.by ?? null })
    .where("id", "=", id)
    .where(inShops(shops))
    .where("paid_at", stamp ? "is" : "is not", null);
  if (stamp) update = update.where("state", "<>", "cancelled");
  const marked = await update.returning("id").executeTakeFirst();
  return marked !== undefined;
}

export async function insertPayment(trx: Trx, payment: OrderPaymentTable): Promise<void> {
  await trx.insertInto("order_payments").values(payment).execute();
}

export interface PaymentEntry {
  /** False if it was marked as unpaid. */
  paid: boolean;
  at: string;
  by: string;
}

/** Times at which staff marked the order as paid or unpaid, oldest first. */
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
