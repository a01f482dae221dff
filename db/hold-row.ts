import type { Trx } from "./transaction.ts";

/**
 * Lets no other transaction change this row until this one ends, so that what is read of it next stays true: where
 * others hold it, it waits for them. On SQLite, where transactions follow one another, nothing else changes. False
 * where there is no such row.
 */
export async function holdRow(
  trx: Trx,
  table: "shops" | "orders" | "contact_messages",
  id: string,
): Promise<boolean> {
  const held = await trx
    .updateTable(table)
    .set((eb) => ({ id: eb.ref("id") }))
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}
