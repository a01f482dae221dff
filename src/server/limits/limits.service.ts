import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import type { Db } from "#db/open.ts";
import { attempt, type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { LIMITS, type LimitName, type Limits, networkOf } from "../limits.ts";
import { DatabaseLimiter, type UseOptions } from "./limits.limiter.ts";
import { deleteCountsBefore } from "./limits.queries.ts";

type LimitDeps = Pick<Deps, "db" | "now" | "keyring">;

/** @param scale multiplies every limit; 0 turns them off. */
export function createLimits(deps: LimitDeps, scale: number): Limits {
  const sweepExpired = () => deleteCountsBefore(deps.db, deps.now());
  const nothing = async () => {};
  if (scale === 0) {
    return {
      use: nothing,
      takeBoth: nothing,
      within: (_, body) => transact(deps.db, body),
      refuseSpent() {},
      forgive: nothing,
      sweepExpired,
    };
  }
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([name, { points, duration }]) => [
      name,
      new DatabaseLimiter(deps, {
        keyPrefix: name,
        points: Math.max(1, Math.round(points * scale)),
        duration,
      }),
    ]),
  ) as Record<LimitName, DatabaseLimiter>;
  // The table names nobody: a copy of it does not tell who was here.
  const entryOf = (name: LimitName, key: string): Entry => ({
    limiter: limiters[name],
    key: deps.keyring.mac("limit", `${name} ${networkOf(key)}`),
  });
  return {
    async use(name, key) {
      await count(entryOf(name, key)).catch(refuse);
    },
    async takeBoth(first, second) {
      await countAndRun(deps.db, [entryOf(...first), entryOf(...second)], nothing).catch(refuse);
    },
    async within(use, body) {
      // What is thrown within the transaction would undo what was counted.
      const attempted = (trx: Trx) => attempt(trx, () => body(trx));
      const outcome = await countAndRun(deps.db, [entryOf(...use)], attempted).catch(refuse);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
    refuseSpent(name, key) {
      const entry = entryOf(name, key);
      const msLeft = entry.limiter.refusesForMs(entry.key);
      if (msLeft > 0) throw refusal(msLeft);
    },
    async forgive(name, key) {
      const entry = entryOf(name, key);
      await entry.limiter.delete(entry.key);
    },
    sweepExpired,
  };
}

/** What a use is counted under; the key as the table has it. */
interface Entry {
  limiter: DatabaseLimiter;
  key: string;
}

/** Throws the library's refusal when there are none left. */
async function count({ limiter, key }: Entry, options: UseOptions = {}): Promise<void> {
  await limiter.consume(key, 1, options);
}

/**
 * Counts a use of each and runs `body` with one commit. Throws the library's refusal, and does not run it, where there are
 * none left of one; those behind it are not counted.
 */
async function countAndRun<T>(
  db: Db,
  entries: [Entry, ...Entry[]],
  body: (trx: Trx) => Promise<T>,
): Promise<T> {
  const [first] = entries;
  // Whoever goes on trying costs no transaction either.
  if (first.limiter.refusesForMs(first.key) > 0) await count(first);
  const [refusal, result] = await transact(db, async (trx) => {
    const refusal = await countInTurn(trx, entries);
    return refusal ? [refusal] : [null, await body(trx)];
  });
  if (refusal) throw refusal;
  return result;
}

/** The first refusal, after which nothing more is counted. It is not thrown: what was counted is to be kept. */
async function countInTurn(trx: Trx, entries: Entry[]): Promise<RateLimiterRes | null> {
  for (const entry of entries) {
    const refusal = await count(entry, { trx }).then(() => null, refusalOnly);
    if (refusal) return refusal;
  }
  return null;
}

function refusalOnly(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function refuse(thrown: unknown): never {
  throw refusal(refusalOnly(thrown).msBeforeNext);
}

function refusal(msLeft: number): AppError {
  const seconds = Math.ceil(msLeft / 1000);
  return new AppError("RATE_LIMITED", `Too many attempts. Please try again in ${inWords(seconds)}`, {
    retryAfterSeconds: seconds,
  });
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
