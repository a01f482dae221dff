import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "#db/schema.ts";
import type { ListPlace } from "#shared/schemas/paging.ts";

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
