import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type Db, isOnPostgres } from "./open.ts";
import type { Schema } from "./schema.ts";
import type { Trx } from "./transaction.ts";

/** Whether a column holds `text` anywhere in it; its `%` and `_` mean themselves. */
export function contains(column: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}

/**
 * Has `query` hold the rows that it answers: no other transaction changes them until this one ends, and where another
 * holds them, it waits for that. On SQLite transactions follow one another, and the query stays as it is.
 */
export function lockRows<Table extends keyof Schema, Row>(
  db: Db | Trx,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isOnPostgres(db) ? query.forNoKeyUpdate() : query;
}

/**
 * Has `query` take the rows that it answers, and pass over those that another transaction has taken instead of waiting
 * for it. On SQLite there is no other transaction, and the query stays as it is.
 */
export function skipLockedRows<Table extends keyof Schema, Row>(
  db: Db | Trx,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isOnPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/** Holds this row, so that what is read of it next stays true until the transaction ends. False where there is none. */
export async function lockRow(
  trx: Trx,
  table: "shops" | "orders" | "contact_messages",
  id: string,
): Promise<boolean> {
  const row = trx.selectFrom(table).select("id").where("id", "=", id);
  return (await lockRows(trx, row).executeTakeFirst()) !== undefined;
}
