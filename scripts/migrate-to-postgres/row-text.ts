import pg from "pg";
import type { StoreTable } from "./store-tables.ts";

/** In SQL, what a line for PostgreSQL's COPY has in place of a character. The backslash comes first: it is in the others. */
const ESCAPES: [character: string, mark: string][] = [
  ["'\\'", "'\\\\'"],
  ["char(9)", "'\\t'"],
  ["char(10)", "'\\n'"],
  ["char(13)", "'\\r'"],
];

/** For SQLite: each row as a line for PostgreSQL's COPY. */
export function selectCopyLines(table: StoreTable): string {
  const fields = table.columns.map((column) => {
    const escaped = ESCAPES.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, quote(column));
    return `coalesce(${escaped}, '\\N')`;
  });
  return `select ${fields.join(" || char(9) || ")} || char(10) ${inOrder(table)}`;
}

/** For SQLite: each row as the text that `selectRowHashes` hashes. */
export function selectPlainRows(table: StoreTable): string {
  return `select ${plainRow(table)} ${inOrder(table)}`;
}

/** For PostgreSQL: the SHA-256 of each row as a text that no other row has. */
export function selectRowHashes(table: StoreTable): string {
  return `select encode(sha256(convert_to(${plainRow(table)}, 'UTF8')), 'hex') ${inOrder(table)}`;
}

export function quote(name: string): string {
  return pg.escapeIdentifier(name);
}

/** In either engine's SQL: each value as its length in bytes and itself, null as a dash. */
function plainRow({ columns }: StoreTable): string {
  return columns
    .map((column) => `cast(${quote(column)} as text)`)
    .map((text) => `coalesce(octet_length(${text}) || ':' || ${text}, '-')`)
    .join(" || ");
}

/** By its key, which both engines order byte by byte. */
function inOrder({ name, key }: StoreTable): string {
  return `from ${quote(name)} order by ${key.map(quote).join(", ")}`;
}
