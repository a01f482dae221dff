import type { Db } from "#db/database.ts";
import type { InvoiceTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** The invoice of an order with its notes, oldest first; empty where none was issued. */
export async function findInvoices(db: Db | Trx, orderId: string): Promise<InvoiceTable[]> {
  return db
    .selectFrom("invoices")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("issued_at")
    .orderBy("id")
    .execute();
}

/** Adds the row with the next number of its series. The caller must hold the lock of the shop's tax settings. */
export async function insertInvoice(trx: Trx, invoice: Omit<InvoiceTable, "seq">): Promise<void> {
  const { gstin, series, kind, year } = invoice;
  const last = await trx
    .selectFrom("invoices")
    .select("seq")
    .where("gstin", "=", gstin)
    .where("series", "=", series)
    .where("kind", "=", kind)
    .where("year", "=", year)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  await trx
    .insertInto("invoices")
    .values({ ...invoice, seq: (last?.seq ?? 0) + 1 })
    .execute();
}

/** The invoices and notes of this user's orders, oldest first. */
export async function findInvoicesOf(db: Db, userId: string): Promise<InvoiceTable[]> {
  return db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .selectAll("invoices")
    .where("orders.user_id", "=", userId)
    .orderBy("invoices.issued_at")
    .orderBy("invoices.id")
    .execute();
}
