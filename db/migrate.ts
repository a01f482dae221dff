import { existsSync } from "node:fs";
import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { type Database, type Db, isOnPostgres } from "./database.ts";
import { databasePath, isPostgresUrl, openDatabase } from "./open.ts";

/**
 * Every migration under its number, oldest first. One that has been released is never changed: what comes later is a new file and
 * a line here, and its columns are in `schema.ts` and `tests/db/migrate.rows.ts` too.
 */
export const MIGRATIONS: Record<string, Migration> = {
  "0001-store": whenNeeded(() => import("./migrations/0001-store.ts")),
};

/**
 * Brings the schema up to date, all pending migrations in one transaction, and returns their names. Throws the error of
 * the one that failed; then none of them has left a trace. Throws an Error of one line for a database of something else.
 */
export async function migrate(db: Db, migrations = MIGRATIONS): Promise<string[]> {
  // Before the migrations: another server may make the store between the two queries.
  const table = await findTable(db);
  const applied = await appliedMigrations(db);
  if (table && applied.length === 0)
    throw new Error(
      `DATABASE_URL: the database ${await nameOf(db)} has a table, ${table}, but no store. Give the store a database of its own`,
    );
  const reason = incompatibilityOf(applied, migrations);
  if (reason) throw new Error(`The database ${await nameOf(db)} ${reason}`);
  if (applied.length === Object.keys(migrations).length) return [];
  const migrator = new Migrator({
    db: db.withoutPlugins(),
    provider: { getMigrations: async () => migrations },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/**
 * Opens the database of an existing store for a command beside the server, which alone creates and migrates stores. Throws
 * an Error of one line if there is no store of this code.
 */
export async function openMigrated(url: string): Promise<Database> {
  if (!isPostgresUrl(url) && !existsSync(databasePath(url))) throw new Error(noStoreIn(databasePath(url)));
  const database = await openDatabase(url);
  try {
    const applied = await appliedMigrations(database.db);
    if (applied.length === 0) throw new Error(noStoreIn(await nameOf(database.db)));
    const reason = mismatchOf(applied);
    if (reason) throw new Error(`The database ${await nameOf(database.db)} ${reason}`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function noStoreIn(name: string): string {
  return `This account finds no store in ${name}. Give DATA_DIR and DATABASE_URL as the server has them; the first start of the server creates the store`;
}

/** Why this code cannot use a store that has had these migrations; null where it can. */
export function incompatibilityOf(applied: readonly string[], migrations = MIGRATIONS): string | null {
  const unknown = applied.find((name) => !(name in migrations));
  return unknown ? `is newer than this code: it has had the migration ${unknown}` : null;
}

/** Why a store with these migrations is not of exactly this code; null where it is. */
export function mismatchOf(applied: readonly string[], migrations = MIGRATIONS): string | null {
  const missing = Object.keys(migrations).find((name) => !applied.includes(name));
  const older = missing
    ? `is older than this code: it has not had the migration ${missing}. Start this server on it once, which brings it up to date`
    : null;
  return incompatibilityOf(applied, migrations) ?? older;
}

/** The path of the SQLite file, or the name of the PostgreSQL database. */
async function nameOf(db: Db): Promise<string> {
  const search = isOnPostgres(db)
    ? sql<{ name: string }>`select current_database() as name`
    : sql<{ name: string }>`select file as name from pragma_database_list where name = 'main'`;
  return (await search.execute(db)).rows[0]?.name ?? "";
}

/** Asks for Kysely's table alone: Kysely itself would read the columns of every table to find it. */
async function appliedMigrations(db: Db): Promise<string[]> {
  const name = DEFAULT_MIGRATION_TABLE;
  const search = isOnPostgres(db)
    ? sql<{ found: string | null }>`select to_regclass(${name}) as found`
    : sql<{ found: string | null }>`select max(name) as found from sqlite_master where name = ${name}`;
  const [table] = (await search.execute(db)).rows;
  if (!table?.found) return [];
  const applied = await sql<{ name: string }>`select name from ${sql.table(name)}`.execute(db);
  return applied.rows.map((row) => row.name);
}

/** A table of the database that is not Kysely's own; undefined where it has none. */
async function findTable(db: Db): Promise<string | undefined> {
  const tables = isOnPostgres(db)
    ? sql<{ name: string }>`
        select relname as name from pg_class
        where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
  const { rows } = await tables.execute(db);
  return rows.find(({ name }) => !/^(kysely|sqlite)_/.test(name))?.name;
}

/** A store that is up to date starts without loading any migration. */
function whenNeeded(load: () => Promise<Migration>): Migration {
  return { up: async (db) => (await load()).up(db) };
}
