import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type Sqlite from "better-sqlite3";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";

/** A table as the migrations create it. */
export interface StoreTable {
  name: string;
  columns: string[];
  /** The columns of its primary key, in their order. */
  key: string[];
}

const ATTRIBUTES = "pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped";
const KEY = `
  pg_index i, unnest(i.indkey) with ordinality as part (attnum, place), pg_attribute a
  where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = part.attnum`;

/** All tables of the store, without Kysely's own for migrations. */
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

/** Copies all rows of a table and returns how many. Throws if PostgreSQL cannot store one of them. */
export async function copyRows(
  source: Sqlite.Database,
  client: pg.Client,
  table: StoreTable,
): Promise<number> {
  await clear(client, table);
  const columns = table.columns.map(quote).join(", ");
  // The rows that triggers would write are copied as well.
  await client.query(`alter table ${quote(table.name)} disable trigger user`);
  const target = client.query(copyFrom(`copy ${quote(table.name)} (${columns}) from stdin`));
  await pipeline(Readable.from(inChunks(copyLines(source, table))), target);
  await client.query(`alter table ${quote(table.name)} enable trigger user`);
  return target.rowCount;
}

/** Deletes rows that a migration wrote. Not run on an empty table: the audit log refuses every delete. */
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

/** Which column of which row has the NUL, from the row's line. */
function placeOf(line: string, { name, columns, key }: StoreTable): string {
  const values = line.slice(0, -1).split("\t");
  const column = columns.find((_column, index) => values[index]?.includes("\0"));
  const row = key.map((part) => `${part} = '${values[columns.indexOf(part)]?.replaceAll("\0", "␀")}'`);
  return `one is in ${name}.${column}, in the row where ${row.join(" and ")}. Take it out and try again`;
}

/** Equal for tables with equal rows. */
interface Fingerprint {
  rows: number;
  /** SHA-256 of the SHA-256 of each row, in the order of the key. */
  sha256: string;
}

export interface Comparison {
  table: string;
  sqlite: Fingerprint;
  postgres: Fingerprint;
  isEqual: boolean;
}

/** Reads the whole table on both sides, without the code that copied it. */
export async function compareTable(
  source: Sqlite.Database,
  client: pg.Client,
  table: StoreTable,
): Promise<Comparison> {
  const postgres = await postgresFingerprint(client, table);
  const sqlite = sqliteFingerprint(source, table);
  const isEqual = sqlite.rows === postgres.rows && sqlite.sha256 === postgres.sha256;
  return { table: table.name, sqlite, postgres, isEqual };
}

function sqliteFingerprint(source: Sqlite.Database, table: StoreTable): Fingerprint {
  const all = createHash("sha256");
  for (const hashes of inChunks(sqliteRowHashes(source, table))) all.update(hashes);
  const rows = source.prepare<[], number>(countRows(table)).pluck().get() ?? 0;
  return { rows, sha256: all.digest("hex") };
}

function* sqliteRowHashes(source: Sqlite.Database, table: StoreTable): Generator<string> {
  const rows = source.prepare<[], string>(selectPlainRows(table)).pluck().iterate();
  for (const row of rows) yield `${hash("sha256", row)}\n`;
}

async function postgresFingerprint(client: pg.Client, table: StoreTable): Promise<Fingerprint> {
  const all = createHash("sha256");
  for await (const hashes of client.query(copyTo(`copy (${selectRowHashes(table)}) to stdout`))) {
    all.update(hashes);
  }
  const { rows } = await client.query(countRows(table));
  return { rows: Number(rows[0].count), sha256: all.digest("hex") };
}

function countRows({ name }: StoreTable): string {
  return `select count(*) as count from ${quote(name)}`;
}

/** SQL for the escapes of PostgreSQL's COPY format. The backslash comes first, since the others contain it. */
const ESCAPES: [character: string, mark: string][] = [
  ["'\\'", "'\\\\'"],
  ["char(9)", "'\\t'"],
  ["char(10)", "'\\n'"],
  ["char(13)", "'\\r'"],
];

/** For SQLite: each row as a line of PostgreSQL's COPY format. */
function selectCopyLines(table: StoreTable): string {
  const fields = table.columns.map((column) => {
    const escaped = ESCAPES.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, quote(column));
    return `coalesce(${escaped}, '\\N')`;
  });
  return `select ${fields.join(" || char(9) || ")} || char(10) ${inOrder(table)}`;
}

/** For SQLite: each row as the text that `selectRowHashes` hashes. */
function selectPlainRows(table: StoreTable): string {
  return `select ${plainRow(table)} ${inOrder(table)}`;
}

/** For PostgreSQL: the SHA-256 of each row, written so that different rows give different texts. */
function selectRowHashes(table: StoreTable): string {
  return `select encode(sha256(convert_to(${plainRow(table)}, 'UTF8')), 'hex') ${inOrder(table)}`;
}

export function quote(name: string): string {
  return pg.escapeIdentifier(name);
}

/** SQL for both databases: each value with its length in bytes before it, null as a dash. */
function plainRow({ columns }: StoreTable): string {
  return columns
    .map((column) => `cast(${quote(column)} as text)`)
    .map((text) => `coalesce(octet_length(${text}) || ':' || ${text}, '-')`)
    .join(" || ");
}

/** Ordered by the primary key, which both databases compare byte by byte. */
function inOrder({ name, key }: StoreTable): string {
  return `from ${quote(name)} order by ${key.map(quote).join(", ")}`;
}

const WIDTHS = [24, 12, 20];

/** A line of the printed table of comparisons; without a comparison, its heading. */
export function tableLine(comparison?: Comparison): string {
  if (!comparison) return columns("table", "rows", "SHA-256 of them");
  const { table, sqlite, postgres, isEqual } = comparison;
  if (isEqual) return `${columns(table, ...inShort(sqlite))}equal`;
  return `${columns(table, ...inShort(sqlite))}DIFFERENT: ${inShort(postgres).join(" rows, ")} in PostgreSQL`;
}

function columns(...cells: string[]): string {
  return cells.map((cell, index) => `${cell.padEnd(WIDTHS[index] ?? 0)}  `).join("");
}

function inShort({ rows, sha256 }: Fingerprint): [string, string] {
  return [String(rows), sha256.slice(0, 16)];
}

const BATCH = 64 * 1024;

/** Joins short texts into chunks. */
function* inChunks(texts: Iterable<string>): Generator<string> {
  let batch = "";
  for (const text of texts) {
    batch += text;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = "";
  }
  if (batch) yield batch;
}
