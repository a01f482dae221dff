import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "#db/schema.ts";
import { LIST_ROWS, type ListPage, type ListPlace } from "#shared/schemas/paging.ts";

/** How many rows to look for: one more than are shown says whether there is another page. */
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

/** A search looks through so many rows at once, however many there are; the next page goes on from where it stopped. */
export const LOOKED_THROUGH = 3000;

/** Rows of a list, and where the search for them stopped; null where it came to the end. */
export interface FoundRows<Row> {
  rows: Row[];
  stoppedAt: ListPlace | null;
}

/** Whether a row of a list, the newest first, stands behind this place. */
export function isBehind({ createdAt, id }: ListPlace): RawBuilder<SqlBool> {
  return sql`(${sql.ref("created_at")}, ${sql.ref("id")}) < (${createdAt}, ${id})`;
}

/** Whether it stands there or before. */
export function isUpTo({ createdAt, id }: ListPlace): RawBuilder<SqlBool> {
  return sql`(${sql.ref("created_at")}, ${sql.ref("id")}) >= (${createdAt}, ${id})`;
}

/** Where a search through these rows stops for now; undefined where it sees them all. */
export function lastLookedAt<Table extends keyof Schema>(
  rows: SelectQueryBuilder<Schema, Table, ListPlace>,
): Promise<ListPlace | undefined> {
  return rows
    .offset(LOOKED_THROUGH - 1)
    .limit(1)
    .executeTakeFirst();
}
