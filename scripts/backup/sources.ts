import type Sqlite from "better-sqlite3";

/** What a backup is made of and where it goes. */
export interface Sources {
  /** The store's database, as it is by now. */
  live: Sqlite.Database;
  /** The copy in the backup, as the database was. */
  copy: Sqlite.Database;
  dataDir: string;
  /** Where the backup is written. */
  folder: string;
  /** When the database was copied. */
  madeAt: string;
}

/** What `attempt` gives; null where a file that it needs is not there. */
export async function orNull<Result>(attempt: Promise<Result>): Promise<Result | null> {
  return attempt.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
