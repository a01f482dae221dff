import type pg from "pg";

/** A table as the code's migrations make it. */
export interface StoreTable {
  name: string;
  columns: string[];
  /** The columns of its primary key, in their order there. */
  key: string[];
}

const ATTRIBUTES = "pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped";
const KEY = `
  pg_index i, unnest(i.indkey) with ordinality as part (attnum, place), pg_attribute a
  where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = part.attnum`;

/** Every table of the database that holds what a store knows; how far it is migrated is not part of that. */
export async function readTables(client: pg.Client): Promise<StoreTable[]> {
  const { rows } = await client.query<StoreTable>(`
    select
      c.relname as name,
      array(select a.attname::text from ${ATTRIBUTES} order by a.attnum) as columns,
      array(select a.attname::text from ${KEY} order by part.place) as key
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname not like 'kysely\\_%'
    order by c.relname`);
  return rows;
}
