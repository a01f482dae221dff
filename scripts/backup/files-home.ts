import type Sqlite from "better-sqlite3";
import { appOfHome, HOME_FACT } from "#server/files/files.home.service.ts";

/**
 * The app at UploadThing where the files of this database's store are; null where they are on its disk. What is there is
 * no part of a backup: it is one copy for all servers, and UploadThing's to keep.
 */
export function appWithFiles(database: Sqlite.Database): string | null {
  const home = database
    .prepare<[string], string>("select value from store_facts where name = ?")
    .pluck()
    .get(HOME_FACT);
  return home === undefined ? null : appOfHome(home);
}
