import { type RawBuilder, sql } from "kysely";
import { type Db, isOnPostgres } from "#db/open.ts";
import { examine, type Finding } from "./findings.ts";

/** Whether the database is sound in itself, as its own engine says. */
export function checkSoundness(db: Db): Promise<Finding[]> {
  return isOnPostgres(db) ? checkPostgres(db) : checkSqlite(db);
}

async function checkSqlite(db: Db): Promise<Finding[]> {
  const said = await rowsOf<{ integrity_check: string }>(db, sql`pragma integrity_check`);
  const broken = await rowsOf<object>(db, sql`pragma foreign_key_check`);
  return [
    examine("PRAGMA integrity_check", said, ({ integrity_check: line }) => (line === "ok" ? null : line)),
    { check: "PRAGMA foreign_key_check", looked: 1, wrong: broken.map((row) => JSON.stringify(row)) },
  ];
}

interface ForeignKey {
  name: string;
  child: string;
  parent: string;
  column: string;
  target: string;
}

/** PostgreSQL's own amcheck of every table, and of every index with its table; and every reference that it keeps. */
async function checkPostgres(db: Db): Promise<Finding[]> {
  await sql`create extension if not exists amcheck`.execute(db);
  const tables = await relations(db, "r");
  const indexes = await relations(db, "i");
  const keys = await foreignKeys(db);
  return [
    await examineEach("amcheck: tables", tables, (name) =>
      rowsOf(db, sql`select msg as wrong from verify_heapam(${name}::regclass)`),
    ),
    await examineEach("amcheck: indexes", indexes, (name) => checkIndex(db, name)),
    await examineEach("references: the row they name is there", keys, (key) => findBroken(db, key)),
  ];
}

interface Wrong {
  wrong: string;
}

async function examineEach<T>(
  check: string,
  items: T[],
  find: (item: T) => Promise<Wrong[]>,
): Promise<Finding> {
  const found: Wrong[] = [];
  for (const item of items) found.push(...(await find(item)));
  return { check, looked: items.length, wrong: found.map(({ wrong }) => wrong) };
}

async function checkIndex(db: Db, name: string): Promise<Wrong[]> {
  try {
    await sql`select bt_index_parent_check(${name}::regclass, true)`.execute(db);
    return [];
  } catch (error) {
    return [{ wrong: `${name}: ${error}` }];
  }
}

function findBroken(db: Db, { name, child, parent, column, target }: ForeignKey): Promise<Wrong[]> {
  const from = sql.ref(`c.${column}`);
  return rowsOf(
    db,
    sql`select ${name} || ': ' || ${from} as wrong from ${sql.table(child)} c
      where ${from} is not null and not exists
        (select from ${sql.table(parent)} p where ${sql.ref(`p.${target}`)} = ${from})`,
  );
}

async function relations(db: Db, kind: "r" | "i"): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relkind = ${kind} and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** Those of one column, as all in the store are. */
function foreignKeys(db: Db): Promise<ForeignKey[]> {
  return rowsOf(
    db,
    sql`select k.conname as name, k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
        a.attname as column, b.attname as target
      from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]
      where k.contype = 'f'`,
  );
}

async function rowsOf<Row>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await query.execute(db)).rows as Row[];
}
