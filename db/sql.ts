import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { type Db, isOnPostgres } from "./database.ts";
import type { Schema } from "./schema.ts";
import type { Trx } from "./transaction.ts";

/** A condition: the column contains `text`, whose `%` and `_` stand for themselves. */
export function contains(column: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}

/** A condition: the column has one of these values; "all" leaves none out. */
export function isOneOf(column: string, values: "all" | readonly string[]) {
  if (values === "all") return sql<SqlBool>`1 = 1`;
  if (values.length === 0) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`;
}

/** A condition: no worker has a lease of the row at this time. */
export function isUnleased(at: string) {
  const until = sql.ref("leased_until");
  return sql<SqlBool>`(${until} is null or ${until} <= ${at})`;
}

/** Adds `for no key update` on PostgreSQL. SQLite runs one transaction at a time and needs no lock. */
export function lockRows<Table extends keyof Schema, Row>(
  db: Db | Trx,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isOnPostgres(db) ? query.forNoKeyUpdate() : query;
}

/** Adds `for update skip locked` on PostgreSQL: rows that another transaction has locked are left out. */
export function skipLockedRows<Table extends keyof Schema, Row>(
  db: Db | Trx,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  return isOnPostgres(db) ? query.forUpdate().skipLocked() : query;
}

/** Locks this row until the transaction ends, so that nobody changes what is read next. False where there is no such row. */
export async function lockRow(
  trx: Trx,
  table: "users" | "shops" | "orders" | "contact_messages",
  id: string,
): Promise<boolean> {
  const row = trx.selectFrom(table).select("id").where("id", "=", id);
  return (await lockRows(trx, row).executeTakeFirst()) !== undefined;
}
