import type { Db } from "#db/open.ts";
import type { OrderPaymentTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { ShopScope } from "../../context.ts";
import { ofShops } from "../orders.queries.ts";

interface Payment {
  id: string;
  shops: ShopScope;
  /** Null where it is taken back. */
  stamp: { at: string; by: string } | null;
}

/** Marks one of these shops' orders as paid or unpaid. False: it was so already, is cancelled (and can only become unpaid), or is not theirs. */
export async function markPaid(trx: Trx, { id, shops, stamp }: Payment): Promise<boolean> {
  let update = trx
    .updateTable("orders")
    .set({ paid_at: stamp?.at ?? null, paid_by: stamp?.by ?? null })
    .where("id", "=", id)
    .where(ofShops(shops))
    .where("paid_at", stamp ? "is" : "is not", null);
  if (stamp) update = update.where("state", "<>", "cancelled");
  const marked = await update.returning("id").executeTakeFirst();
  return marked !== undefined;
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
