import Sqlite from "better-sqlite3";
import { checkDatabase, openToRead, readMigrations } from "../backup/database.ts";
import { quote } from "./row-text.ts";
import type { StoreTable } from "./store-tables.ts";

const CACHE_KIB = 256 * 1024;

/** What a store's SQLite file holds at one moment, whatever is written into it from then on. */
export interface Snapshot {
  database: Sqlite.Database;
  takenAt: Date;
  /** Ends it, and says whether anything has been written since it was taken. */
  end(): { hasChanged: boolean };
  close(): void;
}

/** Throws unless the file holds a sound store that has had these migrations and no others. */
export function takeSnapshot(path: string, migrations: string[]): Snapshot {
  const database = openToRead(path);
  try {
    database.exec("begin");
    refuseOtherSchema(migrationsOf(database, path), migrations);
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const takenAt = new Date();
    const version = dataVersion(database);
    checkDatabase(database);
    return {
      database,
      takenAt,
      end() {
        database.exec("commit");
        return { hasChanged: dataVersion(database) !== version };
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws where the tables are not the very ones that the code's migrations make. */
export function refuseOtherTables({ database }: Snapshot, tables: StoreTable[]): void {
  const names = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*'")
    .pluck()
    .all()
    .filter((name) => !name.startsWith("kysely_"));
  const known = new Map(tables.map((table) => [table.name, table.columns]));
  const stranger = names.find((name) => !known.has(name));
  if (stranger) throw new Error(`The SQLite file has a table that is not the store's: ${stranger}`);
  for (const [name, columns] of known) {
    const there = database.pragma(`table_info(${quote(name)})`) as { name: string }[];
    const isSame = there.length === columns.length && there.every((column) => columns.includes(column.name));
    if (!isSame) throw new Error(`In the SQLite file the table ${name} has not the columns of the store's`);
  }
}

function migrationsOf(database: Sqlite.Database, path: string): string[] {
  try {
    return readMigrations(database);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || error.code.startsWith("SQLITE_BUSY")) throw error;
    throw new Error(`There is no store in ${path}: ${error.message}`);
  }
}

function refuseOtherSchema(had: string[], known: string[]): void {
  const newer = had.find((name) => !known.includes(name));
  if (newer) throw new Error(`The store is newer than this code: it has had the migration ${newer}`);
  const missing = known.find((name) => !had.includes(name));
  if (missing)
    throw new Error(
      `The store is older than this code: it has not had the migration ${missing}. Start this server on it once, which brings it up to date`,
    );
}

function dataVersion(database: Sqlite.Database): unknown {
  return database.pragma("data_version", { simple: true });
}
