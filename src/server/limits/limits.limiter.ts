import { LRUCache } from "lru-cache";
import type { IRateLimiterOptions } from "rate-limiter-flexible";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import RateLimiterStoreAbstract from "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js";
import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { addPoints, type Count, deleteCount } from "./limits.queries.ts";

/** Keys of one limit that are refused from memory; of more, the database is asked. */
const MAX_REFUSED = 10_000;

/** The library's memory of refused keys, which by itself has no bound. */
class RefusedKeys {
  readonly #until = new LRUCache<string, number>({ max: MAX_REFUSED });

  addMs(key: string, ms: number): void {
    this.#until.set(key, Date.now() + ms);
  }

  msBeforeExpire(key: string): number {
    return Math.max((this.#until.get(key) ?? 0) - Date.now(), 0);
  }

  delete(key: string): void {
    this.#until.delete(key);
  }
}

type LimiterDeps = Pick<Deps, "db" | "now">;

/** What a use may come with. */
export interface UseOptions {
  /** The transaction that it is counted in; in one of its own without. */
  trx?: Trx;
}

/**
 * Counts in the store's database. A key that was refused here is refused from memory until its time is over, so that
 * whoever goes on trying costs no writes.
 */
export class DatabaseLimiter extends RateLimiterStoreAbstract {
  /** Of the library, whose types leave it out. */
  declare readonly getInMemoryBlockMsBeforeExpire: (key: string) => number;
  declare _inMemoryBlockedKeys: RefusedKeys;
  readonly #deps: LimiterDeps;

  constructor(deps: LimiterDeps, options: IRateLimiterOptions) {
    super({ ...options, storeClient: deps.db, inMemoryBlockOnConsumed: options.points + 1 });
    this.#deps = deps;
    this._inMemoryBlockedKeys = new RefusedKeys();
  }

  /** How long uses of this key are refused from memory; 0 where they are not. */
  refusesForMs(key: string): number {
    return this.getInMemoryBlockMsBeforeExpire(this.getKey(key));
  }

  _upsert(
    key: string,
    points: number,
    durationMs: number,
    _isForced: boolean,
    { trx }: UseOptions,
  ): Promise<Count> {
    const { db, now } = this.#deps;
    const time = now();
    return addPoints(trx ?? db, key, { points, now: time, expiresAt: new Date(time.getTime() + durationMs) });
  }

  _delete(key: string): Promise<boolean> {
    return deleteCount(this.#deps.db, key);
  }

  _getRateLimiterRes(_key: string, changed: number, { points, expiresAt }: Count): RateLimiterRes {
    const remaining = Math.max(this.points - points, 0);
    const msLeft = Math.max(expiresAt.getTime() - this.#deps.now().getTime(), 0);
    return new RateLimiterRes(remaining, msLeft, points, points === changed);
  }
}
