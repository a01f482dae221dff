import type { Db } from "#db/database.ts";
import type { ShopTaxTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

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
 * The settings of the order's shop, locked until the transaction ends, so that its invoices are numbered one after the other.
 * Lock the order before and everything else after it.
 */
export async function lockTaxOf(trx: Trx, orderId: string): Promise<ShopTaxTable | undefined> {
  return trx
    .updateTable("shop_taxes")
    .set((eb) => ({ series: eb.ref("series") }))
    .where("shop_id", "=", (eb) => eb.selectFrom("orders").select("shop_id").where("id", "=", orderId))
    .returningAll()
    .executeTakeFirst();
}
