import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { inBatches } from "./batches.ts";
import { quote, selectCopyLines } from "./row-text.ts";
import type { StoreTable } from "./store-tables.ts";

/** Copies all rows of a table, and answers how many. Throws where PostgreSQL cannot hold one of them. */
export async function copyRows(
  source: Sqlite.Database,
  client: pg.Client,
  table: StoreTable,
): Promise<number> {
  await clear(client, table);
  const columns = table.columns.map(quote).join(", ");
  // What triggers would write is among the rows already.
  await client.query(`alter table ${quote(table.name)} disable trigger user`);
  const target = client.query(copyFrom(`copy ${quote(table.name)} (${columns}) from stdin`));
  await pipeline(Readable.from(inBatches(copyLines(source, table))), target);
  await client.query(`alter table ${quote(table.name)} enable trigger user`);
  return target.rowCount;
}

/** A migration may have written rows. Where there are none it is not even tried: the audit log refuses that. */
async function clear(client: pg.Client, { name }: StoreTable): Promise<void> {
  const { rowCount } = await client.query(`select from ${quote(name)} limit 1`);
  if (rowCount) await client.query(`delete from ${quote(name)}`);
}

function* copyLines(source: Sqlite.Database, table: StoreTable): Generator<string> {
  for (const line of source.prepare<[], string>(selectCopyLines(table)).pluck().iterate()) {
    if (line.includes("\0"))
      throw new Error(`PostgreSQL cannot hold a NUL character: ${placeOf(line, table)}`);
    yield line;
  }
}

/** The column and the key of a row, by its line, in which a NUL is. */
function placeOf(line: string, { name, columns, key }: StoreTable): string {
  const values = line.slice(0, -1).split("\t");
  const column = columns.find((_column, index) => values[index]?.includes("\0"));
  const row = key.map((part) => `${part} = '${values[columns.indexOf(part)]?.replaceAll("\0", "␀")}'`);
  return `one is in ${name}.${column}, in the row where ${row.join(" and ")}. Take it out and try again`;
}
