import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "#db/schema.ts";
import { LIST_ROWS, type ListPage, type ListPlace } from "#shared/schemas/paging.ts";

/** Rows to query: one more than a page shows, which tells whether there is a next page. */
export const LOOKED_FOR = LIST_ROWS + 1;

export function toPage<Row extends ListPlace>(
  found: Row[],
  stoppedAt: ListPlace | null = null,
): ListPage<Row> {
  const rows = found.slice(0, LIST_ROWS);
  const last = rows.at(-1);
  const more = last && found.length > rows.length;
  return { rows, next: more ? { createdAt: last.createdAt, id: last.id } : stoppedAt };
}

/** Maximum number of rows that one search request scans; the next page continues where it stopped. */
export const LOOKED_THROUGH = 3000;

/** Rows of a page, and the place where the scan stopped; null if it reached the end. */
export interface FoundRows<Row> {
  rows: Row[];
  stoppedAt: ListPlace | null;
}

/** Condition that a row comes after this place in a list that is sorted newest first. */
export function isBehind({ createdAt, id }: ListPlace): RawBuilder<SqlBool> {
  return sql`(${sql.ref("created_at")}, ${sql.ref("id")}) < (${createdAt}, ${id})`;
}

/** Condition that a row is at this place or before it. */
export function isUpTo({ createdAt, id }: ListPlace): RawBuilder<SqlBool> {
  return sql`(${sql.ref("created_at")}, ${sql.ref("id")}) >= (${createdAt}, ${id})`;
}

/** The last row that one search request scans; undefined if it can scan them all. */
export function lastLookedAt<Table extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Table, ListPlace>,
): Promise<ListPlace | undefined> {
  return rows
    .offset(LOOKED_THROUGH - 1)
    .limit(1)
    .executeTakeFirst();
}
