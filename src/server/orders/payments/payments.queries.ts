import type { Db } from "#db/database.ts";
import type { PaymentTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { addDays, type Day } from "#shared/indian-time.ts";
import type { PaymentKind } from "#shared/payment.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";

/**
 * The day of the shop's book that takes a payment now: this one, or the first after it that is not closed. Locks the day, so
 * that nobody closes it before the transaction ends.
 */
export async function lockOpenDay(trx: Trx, shopId: string, today: Day): Promise<Day> {
  let day = today;
  while (!(await lockBookDay(trx, shopId, day))) day = addDays(day, 1);
  return day;
}

/** Locks a day of the shop's book until the transaction ends. False if it is closed. */
export async function lockBookDay(trx: Trx, shopId: string, day: Day): Promise<boolean> {
  const open = await trx
    .insertInto("book_days")
    .values({ shop_id: shopId, day })
    .onConflict((conflict) =>
      conflict
        .columns(["shop_id", "day"])
        .doUpdateSet((eb) => ({ day: eb.ref("excluded.day") }))
        .where("book_days.closed_at", "is", null),
    )
    .returning("day")
    .executeTakeFirst();
  return open !== undefined;
}

export async function insertPayment(trx: Trx, payment: PaymentTable): Promise<void> {
  await trx.insertInto("payments").values(payment).execute();
}

/** What was paid for this user's orders and given back, oldest first. */
export async function findPaymentsOf(db: Db, userId: string): Promise<PaymentTable[]> {
  return db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.order_id")
    .selectAll("payments")
    .where("orders.user_id", "=", userId)
    .orderBy("payments.created_at")
    .execute();
}

/** What was recorded with this key of the client. */
export async function findByKey(
  db: Db | Trx,
  { orderId, key }: { orderId: string; key: string },
): Promise<PaymentTable | undefined> {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("client_key", "=", key)
    .executeTakeFirst();
}

/** A payment of an order, as staff see it; times are ISO 8601 in UTC. */
export interface PaymentEntry {
  id: string;
  kind: PaymentKind;
  method: PaymentMethod;
  /** Negative for money that left the shop. */
  amountPaise: number;
  /** What of a refund lowers the price; negative for its reversal. */
  creditedPaise: number;
  at: string;
  /** Day of the book that it counts in. */
  day: Day;
  by: string;
  /** Empty for a payment. */
  reason: string;
  /** Who approved a refund or reversal. */
  approvedBy: string | null;
  /** The row that it reverses, and the row that reverses it. */
  reverses: string | null;
  reversedBy: string | null;
}

/** All payments, refunds and reversals of an order, oldest first. */
export async function findPayments(db: Db | Trx, orderId: string): Promise<PaymentEntry[]> {
  return db
    .selectFrom("payments")
    .innerJoin("users", "users.id", "payments.by_user_id")
    .leftJoin("users as approver", "approver.id", "payments.approved_by")
    .leftJoin("payments as reversal", "reversal.reverses", "payments.id")
    .select(["payments.id", "payments.kind", "payments.method"])
    .select(["payments.amount_paise as amountPaise", "payments.credited_paise as creditedPaise"])
    .select(["payments.created_at as at", "payments.day", "users.full_name as by", "payments.reason"])
    .select(["approver.full_name as approvedBy", "payments.reverses", "reversal.id as reversedBy"])
    .where("payments.order_id", "=", orderId)
    .orderBy("payments.created_at")
    .orderBy("payments.id")
    .execute();
}
