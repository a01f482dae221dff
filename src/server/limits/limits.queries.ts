import type { Db } from "#db/open.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared-query.ts";
import type { Trx } from "#db/transaction.ts";

export interface Count {
  points: number;
  expiresAt: Date;
}

interface Addition {
  key: string;
  points: number;
  now: string;
  expiresAt: string;
}

const addition = new PreparedQuery((db, { key, points, now, expiresAt }: Placeholders<Addition>) =>
  db
    .insertInto("rate_limits")
    .values({ key, points, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((eb) => {
        const hasRunOut = eb("rate_limits.expires_at", "<=", now);
        return {
          points: eb
            .case()
            .when(hasRunOut)
            .then(points)
            .else(eb("rate_limits.points", "+", points))
            .end(),
          expires_at: eb.case().when(hasRunOut).then(expiresAt).else(eb.ref("rate_limits.expires_at")).end(),
        };
      }),
    )
    .returning(["points", "expires_at"]),
);

const deletion = new PreparedQuery((db, { key }: Placeholders<{ key: string }>) =>
  db.deleteFrom("rate_limits").where("key", "=", key).returning("key"),
);

/**
 * Adds points to a key's count in one statement, so that of two servers none loses the other's. A count that has
 * run out by `now` starts again.
 */
export async function addPoints(
  db: Db | Trx,
  key: string,
  { points, now, expiresAt }: Count & { now: Date },
): Promise<Count> {
  const values = { key, points, now: now.toISOString(), expiresAt: expiresAt.toISOString() };
  const row = await addition.first(db, values);
  if (!row) throw new Error("A count was not written");
  return { points: row.points, expiresAt: new Date(row.expires_at) };
}

/** True when there was a count under the key. */
export async function deleteCount(db: Db, key: string): Promise<boolean> {
  return (await deletion.first(db, { key })) !== undefined;
}

export async function deleteCountsBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expires_at", "<=", now.toISOString()).execute();
}
