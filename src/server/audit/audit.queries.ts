import type { Db } from "#db/database.ts";
import type { AuditLogTable } from "#db/schema.ts";
import { contains, isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import type { AuditAction } from "#shared/audit-actions.ts";
import type { AuditListInput } from "#shared/schemas/audit.ts";
import type { ShopScope } from "../context.ts";
import {
  findLastScanned,
  isAfterCursor,
  isUpToCursor,
  PAGE_QUERY_ROWS,
  type ScannedRows,
} from "../lib/paging.ts";

interface AuditFilter extends Omit<AuditListInput, "search" | "shopId"> {
  /** `all` includes entries about the store itself; shop ids select the entries about these shops. */
  shops: ShopScope;
  /** Case-folded words; an entry must contain all of them. */
  terms: string[];
}

export interface AuditLine {
  id: string;
  createdAt: string;
  by: { name: string; email: string };
  action: AuditAction;
  subject: string;
  shopId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export async function insertAuditEntry(trx: Trx, row: AuditLogTable): Promise<void> {
  await trx.insertInto("audit_log").values(row).execute();
}

/**
 * Entries that pass the filter, newest first, starting after a given entry: one more than a page shows. Searching by words
 * stops after as many rows as one search may read.
 */
export async function findAuditLines(
  db: Db,
  { shops, terms, action, from, until, cursor }: AuditFilter,
): Promise<ScannedRows<AuditLine>> {
  let query = db
    .selectFrom("audit_log")
    .where(isOneOf("shop_id", shops))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
  if (action) query = query.where("action", "=", action);
  if (from) query = query.where("created_at", ">=", from);
  if (until) query = query.where("created_at", "<", until);
  if (cursor) query = query.where(isAfterCursor("audit_log", cursor));
  const places = query.select(["created_at as createdAt", "id"]);
  const stop = terms.length > 0 ? await findLastScanned(places) : undefined;
  if (stop) query = query.where(isUpToCursor(stop));
  for (const term of terms) query = query.where(contains("search_text", term));
  const rows = await query.selectAll().limit(PAGE_QUERY_ROWS).execute();
  return { rows: rows.map(toLine), stoppedAt: stop ?? null };
}

/** The name in the newest entry of this action on this subject; null without one about these shops. */
export async function findLastActorName(
  trx: Trx,
  { shops, action, subjectId }: Pick<AuditFilter, "shops"> & { action: AuditAction; subjectId: string },
): Promise<string | null> {
  const row = await trx
    .selectFrom("audit_log")
    .select("by_name")
    .where("action", "=", action)
    .where("subject_id", "=", subjectId)
    .where(isOneOf("shop_id", shops))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.by_name ?? null;
}

function toLine(row: AuditLogTable): AuditLine {
  return {
    id: row.id,
    createdAt: row.created_at,
    by: { name: row.by_name, email: row.by_email },
    action: row.action,
    subject: row.subject_name,
    shopId: row.shop_id,
    before: row.before ? JSON.parse(row.before) : null,
    after: row.after ? JSON.parse(row.after) : null,
  };
}
