import { existsSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";

/** How long a connection waits for another that holds the lock. */
const BUSY_MS = 5000;

/** Opens a database that is there, to read only. */
export function openToRead(path: string): Sqlite.Database {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}`);
  return new Sqlite(path, { readonly: true, timeout: BUSY_MS });
}

/** Writes what is committed at this moment into a new database at `path`, while others read and write on. */
export function copyDatabase(live: Sqlite.Database, path: string): Sqlite.Database {
  live.prepare("vacuum into ?").run(path);
  const copy = new Sqlite(path);
  copy.pragma("foreign_keys = on");
  return copy;
}

/** Throws unless the database is sound and every reference in it leads somewhere. */
export function checkDatabase(database: Sqlite.Database): void {
  const finding = database.pragma("integrity_check(1)", { simple: true });
  if (finding !== "ok") throw new Error(`The database is damaged: ${String(finding).replace(/\s+/g, " ")}`);
  const [broken] = database.pragma("foreign_key_check") as { table: string; parent: string }[];
  if (broken) {
    throw new Error(
      `The database is damaged: a row of ${broken.table} refers to one of ${broken.parent} that is not there`,
    );
  }
}

/** The names of the migrations that the database has had. */
export function readMigrations(database: Sqlite.Database): string[] {
  return database
    .prepare<[], string>(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`)
    .pluck()
    .all();
}
