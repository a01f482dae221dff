import { LRUCache } from "lru-cache";
import { attempt, type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { LIMITS, type Limits, type LimitUse, networkOf } from "../limits.ts";
import { countUse, deleteCounts, deleteCountsBefore, hasUsesLeft, subtractUses } from "./limits.queries.ts";

/** Some 2 MB of keys. */
const MAX_REMEMBERED = 10_000;

type LimitDeps = Pick<Deps, "db" | "now" | "keyring">;

/** @param scale multiplies every limit; 0 turns them off. */
export function createLimits(deps: LimitDeps, scale: number): Limits {
  const { db, now, keyring } = deps;
  const sweepExpired = () => deleteCountsBefore(db, now());
  const nothing = async () => {};
  if (scale === 0) {
    return {
      use: nothing,
      takeAll: nothing,
      take: nothing,
      tryUse: async () => true,
      hasLeft: async () => true,
      within: (_, body) => transact(db, body),
      forgive: nothing,
      giveBack: nothing,
      refuseSpent() {},
      sweepExpired,
    };
  }
  const mostOf = ([name]: LimitUse) => Math.max(1, Math.round(LIMITS[name].points * scale));
  // The table names nobody: a copy of it does not tell who was here.
  const keyOf = ([name, ...key]: LimitUse) =>
    `${name}:${keyring.mac("limit", [name, ...key.map(networkOf)].join(" "))}`;

  /** When what was refused here last is free again; what is dropped only costs a look into the database. */
  const spent = new LRUCache<string, Date>({ max: MAX_REMEMBERED });

  /** The keys of the uses, of which some may be left again. */
  function freed(uses: LimitUse[]): string[] {
    const keys = uses.map(keyOf);
    for (const key of keys) spent.delete(key);
    return keys;
  }

  async function count(trx: Trx, use: LimitUse): Promise<Refusal | null> {
    const { duration } = LIMITS[use[0]];
    const time = now();
    const refused = await countUse(trx, {
      key: keyOf(use),
      most: mostOf(use),
      now: time,
      expiresAt: new Date(time.getTime() + duration * 1000),
    });
    if (!refused) return null;
    spent.set(keyOf(use), refused.freeAt);
    return { use, msLeft: Math.max(refused.freeAt.getTime() - time.getTime(), 0) };
  }

  /** Counts the uses and runs `body` with one commit; a refusal is thrown behind it: what was counted before is kept. */
  async function countAndRun<T>(uses: readonly LimitUse[], body: (trx: Trx) => Promise<T>): Promise<T> {
    const outcome = await transact(db, async (trx) => {
      for (const use of uses) {
        const refusal = await count(trx, use);
        if (refusal) return { refusal };
      }
      return { refusal: null, value: await body(trx) };
    });
    if (outcome.refusal) throw toError(outcome.refusal);
    return outcome.value;
  }

  return {
    use: (...use) => countAndRun([use], nothing),
    takeAll: (...uses) => countAndRun(uses, nothing),
    async take(trx, use) {
      const refusal = await count(trx, use);
      if (refusal) throw toError(refusal);
    },
    tryUse: async (trx, use) => (await count(trx, use)) === null,
    hasLeft: (trx, use) => hasUsesLeft(trx, { key: keyOf(use), most: mostOf(use), now: now() }),
    async within(use, body) {
      // What is thrown within the transaction would undo what was counted.
      const outcome = await countAndRun([use], (trx) => attempt(trx, () => body(trx)));
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
    refuseSpent(...use) {
      const msLeft = (spent.get(keyOf(use))?.getTime() ?? 0) - now().getTime();
      if (msLeft > 0) throw toError({ use, msLeft });
    },
    forgive: (...uses) => deleteCounts(db, freed(uses)),
    giveBack: (uses, trx) => subtractUses(trx ?? db, freed(uses)),
    sweepExpired,
  };
}

interface Refusal {
  use: LimitUse;
  msLeft: number;
}

function toError({ use: [name], msLeft }: Refusal): AppError {
  const seconds = Math.ceil(msLeft / 1000);
  const limit = LIMITS[name];
  const instead = "instead" in limit ? `, ${limit.instead}` : "";
  return new AppError(
    "RATE_LIMITED",
    `Too many attempts. Please try again in ${inWords(seconds)}${instead}`,
    {
      retryAfterSeconds: seconds,
      limit: name,
    },
  );
}

function inWords(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, "second"]
      : seconds < 2 * 3600
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3600), "hour"];
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
