import type { Insertable } from "kysely";
import type { ContactMessageTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

export async function insertContactMessage(trx: Trx, row: Insertable<ContactMessageTable>): Promise<void> {
  await trx.insertInto("contact_messages").values(row).execute();
}
