import type { AuditLogTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

export async function insertAuditEntry(trx: Trx, row: AuditLogTable): Promise<void> {
  await trx.insertInto("audit_log").values(row).execute();
}
