import { existsSync } from "node:fs";
import { databasePath, isPostgresUrl } from "#db/open.ts";
import { type Config, readConfig } from "#server/config.ts";
import { tryToLockDataDir } from "#server/lib/data-dir.ts";
import { readArguments } from "./arguments.ts";
import { type Move, moveStore } from "./migrate-to-postgres/move-store.ts";
import { tableLine } from "./migrate-to-postgres/rows.ts";

// npm run migrate-to-postgres -- postgres://…: copies the store's SQLite database into an empty one of PostgreSQL, and
// compares the two. The server may run meanwhile, as a rehearsal; for the move itself it is stopped.

const WHAT_IS_NEXT =
  "No server ran meanwhile, so nothing is missing. Start it with this address as DATABASE_URL and with the same DATA_DIR; keep the SQLite file until all is well.";

try {
  const [url = ""] = readArguments("Usage: npm run migrate-to-postgres -- postgres://…", {
    least: 1,
    most: 1,
  });
  if (!isPostgresUrl(url)) throw new Error("the address must begin with postgres:// or postgresql://");
  await moveTo(url, readConfig(process.env));
} catch (error) {
  console.error(`Nothing was moved: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

async function moveTo(url: string, config: Config): Promise<void> {
  const path = sqlitePath(config);
  const unlock = tryToLockDataDir(config.dataDir);
  try {
    const startedAt = performance.now();
    const { takenAt, hasChanged } = await moveStore({
      path,
      url,
      isRunning: unlock === null,
      ...tellProgress(),
    });
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    console.log(
      `\nPostgreSQL holds the store of ${takenAt.toISOString()}, each row as SQLite has it, after ${seconds} s`,
    );
    console.log(unlock ? WHAT_IS_NEXT : whatIsMissing(hasChanged, seconds));
  } finally {
    unlock?.();
  }
}

function sqlitePath({ databaseUrl }: Config): string {
  if (isPostgresUrl(databaseUrl)) throw new Error("DATABASE_URL: the store is on PostgreSQL already");
  const path = databasePath(databaseUrl);
  if (!existsSync(path)) throw new Error(`There is no database at ${path}`);
  return path;
}

function tellProgress(): Pick<Move, "onCopied" | "onCompared"> {
  let isFirst = true;
  return {
    onCopied: (table, rows) => console.log(`Copied ${table}: ${rows} rows`),
    onCompared(comparison) {
      if (isFirst) console.log(`\n${tableLine()}`);
      isFirst = false;
      console.log(tableLine(comparison));
    },
  };
}

function whatIsMissing(hasChanged: boolean, seconds: number): string {
  const since = hasChanged
    ? "What has been written since is not in the copy"
    : "Nothing has been written since";
  return `A server still runs on SQLite. ${since}, so take this for a rehearsal. For the move itself stop the server and run this again into another empty database; it will be away for some ${seconds} s.`;
}
