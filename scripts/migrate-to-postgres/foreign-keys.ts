import type pg from "pg";
import { quote } from "./row-text.ts";

/**
 * Takes every foreign key off, so that rows may come in any order, and answers what puts them back. PostgreSQL then
 * checks all rows at once, which takes it far less than one by one.
 */
export async function takeOffForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`);
  const alter = (table: string, change: string) => client.query(`alter table ${quote(table)} ${change}`);
  for (const { table, name } of rows) await alter(table, `drop constraint ${quote(name)}`);
  return async () => {
    for (const { table, name, definition } of rows) {
      await alter(table, `add constraint ${quote(name)} ${definition}`);
    }
  };
}
