import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { Trx } from "#db/transaction.ts";

interface Use {
  key: string;
  /** Maximum number of uses. */
  most: number;
  now: string;
  /** When the count expires if this use is its first. */
  expiresAt: string;
}

const incrementCount = new PreparedQuery((db, { key, most, now, expiresAt }: Placeholders<Use>) =>
  db
    .insertInto("rate_limits")
    .values({ key, points: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet((eb) => {
          const hasRunOut = eb("rate_limits.expires_at", "<=", now);
          return {
            points: eb
              .case()
              .when(hasRunOut)
              .then(1)
              .else(eb("rate_limits.points", "+", 1))
              .end(),
            expires_at: eb
              .case()
              .when(hasRunOut)
              .then(expiresAt)
              .else(eb.ref("rate_limits.expires_at"))
              .end(),
          };
        })
        .where((eb) => eb.or([eb("rate_limits.expires_at", "<=", now), eb("rate_limits.points", "<", most)])),
    )
    .returning("points"),
);

const currentCount = new PreparedQuery((db, { key }: Placeholders<{ key: string }>) =>
  db.selectFrom("rate_limits").select(["points", "expires_at"]).where("key", "=", key),
);

/**
 * Counts one use in one statement, so that concurrent servers lose none; a count that expired by `now` starts again at 1.
 * When no uses are left it writes nothing and returns when there are some again.
 */
export async function countUse(
  db: Db | Trx,
  { key, most, now, expiresAt }: { key: string; most: number; now: Date; expiresAt: Date },
): Promise<{ freeAt: Date } | null> {
  const values = { key, most, now: now.toISOString(), expiresAt: expiresAt.toISOString() };
  if (await incrementCount.first(db, values)) return null;
  const row = await currentCount.first(db, { key });
  return { freeAt: row ? new Date(row.expires_at) : now };
}

/** How many uses are counted that have not expired. */
export async function findUses(db: Db | Trx, { key, now }: { key: string; now: Date }): Promise<number> {
  const row = await currentCount.first(db, { key });
  return row && row.expires_at > now.toISOString() ? row.points : 0;
}

export async function deleteCounts(db: Db, keys: string[]): Promise<void> {
  await db.deleteFrom("rate_limits").where("key", "in", keys).execute();
}

/** One after the other: rows that are changed together could wait for those of a call that counts the same ones. */
export async function subtractUses(db: Db | Trx, keys: string[]): Promise<void> {
  for (const key of keys) {
    await db
      .updateTable("rate_limits")
      .set((eb) => ({ points: eb("points", "-", 1) }))
      .where("key", "=", key)
      .where("points", ">", 0)
      .execute();
  }
}

export async function deleteCountsBefore(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("rate_limits").where("expires_at", "<=", now.toISOString()).execute();
}
