import { sql } from "kysely";
import { expect } from "vitest";
import { type Db, isOnPostgres } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import type { ApiAnswer } from "../setup/api-client.ts";

/** Makes this many calls at the same time. */
export function together<Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

/**
 * Makes these calls while a transaction holds what `lock` locks, one once the one before waits for a lock, and then lets all of
 * them go on: on PostgreSQL that is the same moment for each. On SQLite, which runs one transaction at a time, one after the other.
 */
export async function behindLock<Answer>(
  db: Db,
  lock: (trx: Trx) => Promise<unknown>,
  calls: (() => Promise<Answer>)[],
): Promise<Answer[]> {
  if (!isOnPostgres(db)) {
    const done: Answer[] = [];
    for (const call of calls) done.push(await call());
    return done;
  }
  const answers: Promise<Answer>[] = [];
  await db.transaction().execute(async (trx) => {
    await lock(trx);
    for (const call of calls) {
      answers.push(call());
      // The server's own jobs may wait as well.
      await expect.poll(() => countWaiting(db)).toBeGreaterThanOrEqual(answers.length);
    }
  });
  return Promise.all(answers);
}

/** How many sessions of this database wait for a lock. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Counts the answers by status, for example `{ 200: 1, 409: 19 }`. */
export function statusesOf(answers: ApiAnswer[]): Record<number, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
}

/** The distinct error messages, from either transport. */
export function refusalsOf(answers: ApiAnswer[]): string[] {
  const refused = answers.filter(({ status }) => status >= 400);
  return [...new Set(refused.map(({ body }) => body.error?.message ?? body.message))];
}
