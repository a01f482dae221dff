import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "#db/schema.ts";
import { LIST_ROWS, type ListCursor, type ListPage } from "#shared/schemas/paging.ts";

/** Rows to query: one more than a page shows, which tells whether there is a next page. */
export const PAGE_QUERY_ROWS = LIST_ROWS + 1;

export function toPage<Row extends ListCursor>(
  found: Row[],
  stoppedAt: ListCursor | null = null,
): ListPage<Row> {
  const rows = found.slice(0, LIST_ROWS);
  const last = rows.at(-1);
  const more = last && found.length > rows.length;
  return { rows, next: more ? { createdAt: last.createdAt, id: last.id } : stoppedAt };
}

/** Maximum number of rows that one search request scans; the next page continues where it stopped. */
export const MAX_SCANNED_ROWS = 3000;

/** Rows of a page, and the place where the scan stopped; null if it reached the end. */
export interface ScannedRows<Row> {
  rows: Row[];
  stoppedAt: ListCursor | null;
}

/** Condition that a row of this table comes after this place in a list that is sorted by age. */
export function isAfterCursor(
  table: keyof Schema,
  { createdAt, id }: ListCursor,
  isNewestFirst = true,
): RawBuilder<SqlBool> {
  const isAfter = sql.raw(isNewestFirst ? "<" : ">");
  return sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)}) ${isAfter} (${createdAt}, ${id})`;
}

/** Condition that a row is at this place or before it. */
export function isUpToCursor({ createdAt, id }: ListCursor): RawBuilder<SqlBool> {
  return sql`(${sql.ref("created_at")}, ${sql.ref("id")}) >= (${createdAt}, ${id})`;
}

/** The last row that one search request scans; undefined if it can scan them all. */
export function findLastScanned<Table extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Table, ListCursor>,
): Promise<ListCursor | undefined> {
  return rows
    .offset(MAX_SCANNED_ROWS - 1)
    .limit(1)
    .executeTakeFirst();
}
