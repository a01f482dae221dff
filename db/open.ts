import { existsSync } from "node:fs";
import type { Database, DatabaseOptions } from "./database.ts";

/**
 * Opens the database of a URL: `file:` and a path is SQLite, whose file and folder are created where they are missing;
 * `postgres:` is PostgreSQL. The other driver is not loaded.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (isPostgresUrl(url)) return (await import("./postgres/open.ts")).openPostgres(url, options);
  if (!url.startsWith("file:")) throw new Error("DATABASE_URL must begin with file: or postgres:");
  return (await import("./sqlite/open.ts")).openSqlite(databasePath(url), options);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The file of a SQLite database's URL. Throws for one of PostgreSQL, which has no file, and where the store has moved there. */
export function databasePath(url: string): string {
  if (!url.startsWith("file:"))
    throw new Error(
      "DATABASE_URL: this works on a SQLite file only; PostgreSQL has tools of its own (pg_dump)",
    );
  const path = url.slice("file:".length);
  const mark = movedMark(path);
  if (existsSync(mark))
    throw new Error(
      `DATABASE_URL: the store of ${path} has moved to PostgreSQL; set it to its address there. To go back to this file, delete ${mark}`,
    );
  return path;
}

/** The file that marks a SQLite database as an old one, because its store has moved to PostgreSQL. */
export function movedMark(path: string): string {
  return `${path}.moved`;
}
