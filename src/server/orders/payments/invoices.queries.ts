import type { Db } from "#db/database.ts";
import type { InvoiceTable, ShopTaxTable } from "#db/schema.ts";
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

export async function findTax(db: Db | Trx, shopId: string): Promise<ShopTaxTable | undefined> {
  return db.selectFrom("shop_taxes").selectAll().where("shop_id", "=", shopId).executeTakeFirst();
}

/** Whether another shop with this GSTIN numbers its invoices by this series. */
export async function isSeriesTaken(trx: Trx, { shop_id, gstin, series }: ShopTaxTable): Promise<boolean> {
  const other = await trx
    .selectFrom("shop_taxes")
    .select("shop_id")
    .where("gstin", "=", gstin)
    .where("gstin", "<>", "")
    .where("series", "=", series)
    .where("shop_id", "<>", shop_id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function saveTax(trx: Trx, { shop_id, ...changes }: ShopTaxTable): Promise<void> {
  await trx
    .insertInto("shop_taxes")
    .values({ shop_id, ...changes })
    .onConflict((conflict) => conflict.column("shop_id").doUpdateSet(changes))
    .execute();
}

/**
 * The tax settings of the order's shop, locked until the transaction ends, so that its invoices are numbered one after the other;
 * undefined for a shop that never had a GSTIN. Lock the order before and everything else after it.
 */
export async function lockInvoices(trx: Trx, orderId: string): Promise<ShopTaxTable | undefined> {
  return trx
    .updateTable("shop_taxes")
    .set((eb) => ({ series: eb.ref("series") }))
    .where("shop_id", "=", (eb) => eb.selectFrom("orders").select("shop_id").where("id", "=", orderId))
    .returningAll()
    .executeTakeFirst();
}
