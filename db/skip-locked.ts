import { PostgresAdapter, type SelectQueryBuilder } from "kysely";
import type { Db } from "./open.ts";
import type { Schema } from "./schema.ts";
import type { Trx } from "./transaction.ts";

/**
 * Has `query` take the rows that it answers, and pass over those that another transaction has taken instead of waiting
 * for it. On SQLite there is no other transaction, and the query stays as it is.
 */
export function skipLocked<Table extends keyof Schema, Row>(
  db: Db | Trx,
  query: SelectQueryBuilder<Schema, Table, Row>,
): SelectQueryBuilder<Schema, Table, Row> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter;
  return isShared ? query.forUpdate().skipLocked() : query;
}
