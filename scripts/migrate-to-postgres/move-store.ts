import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { type Comparison, compareTable } from "./compare-tables.ts";
import { copyRows } from "./copy-rows.ts";
import { takeOffForeignKeys } from "./foreign-keys.ts";
import { refuseOtherTables, type Snapshot, takeSnapshot } from "./snapshot.ts";
import { readTables } from "./store-tables.ts";
import { openTarget, type Target } from "./target.ts";

/** What to do, and whom to tell how far it is. */
export interface Move {
  /** The store's SQLite file. */
  path: string;
  /** The address of an empty PostgreSQL database. */
  url: string;
  /** Whether a server may write into the file meanwhile. */
  isRunning: boolean;
  onCopied(table: string, rows: number): void;
  onCompared(comparison: Comparison): void;
  migrations?: typeof MIGRATIONS;
}

/**
 * Copies what a store's SQLite file holds at this moment into an empty PostgreSQL database, and compares the two. It is
 * one transaction: where anything fails or differs it throws, and the database is as empty as it was.
 */
export async function moveStore(move: Move): Promise<{ takenAt: Date; hasChanged: boolean }> {
  const { path, url, migrations = MIGRATIONS } = move;
  const target = await openTarget(url);
  try {
    const snapshot = takeSnapshot(path, Object.keys(migrations));
    try {
      const hasChanged = await transact(target.db, (trx) => fill(trx, target, snapshot, move));
      return { takenAt: snapshot.takenAt, hasChanged };
    } finally {
      snapshot.close();
    }
  } finally {
    await target.close();
  }
}

/** Answers whether the store has changed since. */
async function fill(trx: Trx, { client }: Target, snapshot: Snapshot, move: Move): Promise<boolean> {
  await migrate(trx, move.migrations);
  const tables = await readTables(client);
  refuseOtherTables(snapshot, tables);
  const putForeignKeysBack = await takeOffForeignKeys(client);
  for (const table of tables) {
    move.onCopied(table.name, await copyRows(snapshot.database, client, table));
  }
  await putForeignKeysBack();
  const different: string[] = [];
  for (const table of tables) {
    const comparison = await compareTable(snapshot.database, client, table);
    if (!comparison.isEqual) different.push(table.name);
    move.onCompared(comparison);
  }
  if (different.length > 0) throw new Error(`The copy is not equal: ${different.join(", ")}`);
  await client.query("analyze");
  const { hasChanged } = snapshot.end();
  if (hasChanged && !move.isRunning)
    throw new Error("Something other than a server has changed the SQLite file meanwhile. Try again");
  return hasChanged;
}
