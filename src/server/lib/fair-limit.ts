import { HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import { counted } from "#shared/format.ts";
import { AppError } from "../errors.ts";

/** The limits of one account in a queue. */
export interface Share {
  /** Plural noun for error messages, such as `files`. */
  things: string;
  /** Maximum number of jobs that run at the same time. */
  atOnce: number;
  /** Maximum number of waiting jobs. */
  waiting: number;
  /** Running time per hour, in ms. Used time is refilled evenly, as in a token bucket. */
  hourlyMs: number;
}

/** The caller of a job. */
export interface Client {
  /** Account (or network) that the job is charged to. The server's own jobs have none and are unlimited. */
  account?: string | undefined;
  /** Aborts when the caller no longer needs the result. */
  signal?: AbortSignal | undefined;
}

export interface QueuedJob extends Client {
  /** Lower numbers run first, whichever account they belong to. The default is 0. */
  priority?: number | undefined;
}

export interface Bounds {
  /** Maximum number of jobs that run at the same time. */
  workers: number;
  /** Limits for each account; none by default. */
  share?: Share | undefined;
  /**
   * Maximum number of waiting jobs of all accounts. Above it, the account with the most waiting jobs loses its newest one.
   */
  maxWaiting?: number | undefined;
}

interface Account<Job> {
  share: Share;
  waiting: Job[];
  running: number;
  spentMs: number;
  /** Time in ms at which `spentMs` was last updated. */
  countedAt: number;
  /** Sequence number of its last started job; the account with the lowest number is next. */
  turn: number;
}

/**
 * An account that used more than this fraction of its hour runs after the others, and heavy accounts together leave one
 * worker free.
 */
const HEAVY_FRACTION = 1 / 20;
const DEFAULT_MAX_WAITING = 500;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const UNBOUNDED: Share = {
  things: "requests",
  atOnce: NO_LIMIT,
  waiting: NO_LIMIT,
  hourlyMs: NO_LIMIT,
};

/** Queue of waiting jobs. Accounts take turns, however many jobs each has, and are charged for the running time. */
export class FairQueue<Job extends QueuedJob> {
  readonly #accounts = new Map<string, Account<Job>>();
  readonly #bounds: Required<Bounds>;
  readonly #now: () => number;
  #size = 0;
  #turns = 0;

  /** @param now clock in ms */
  constructor(
    { workers, share = UNBOUNDED, maxWaiting = DEFAULT_MAX_WAITING }: Bounds,
    now = () => performance.now(),
  ) {
    this.#bounds = { workers, share, maxWaiting };
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws RATE_LIMITED if the account has too many waiting jobs or has used up its hour. */
  check(key: string | undefined): void {
    const account = this.#accounts.get(key ?? "");
    if (!account) return;
    this.#refill(account);
    const { share, waiting, spentMs } = account;
    if (waiting.length >= share.waiting) throw tooMany(share);
    if (spentMs >= share.hourlyMs) throw tooExpensive(share, spentMs);
  }

  /**
   * Throws as `check` does. If the queue is full, returns the job that was removed to make room, and the error for its
   * caller.
   */
  add(job: Job): { job: Job; refusal: AppError } | undefined {
    this.check(job.account);
    const account = this.#accountOf(job.account);
    account.waiting.push(job);
    this.#size++;
    if (this.#size <= this.#bounds.maxWaiting) return undefined;
    const others = [...this.#accounts.values()];
    const largest = others.reduce(
      (most, other) => (other.waiting.length > most.waiting.length ? other : most),
      account,
    );
    const removed = largest.waiting.at(-1) ?? job;
    this.remove(removed);
    return {
      job: removed,
      refusal: largest.waiting.length > 0 ? tooMany(largest.share) : full(largest.share),
    };
  }

  /** Removes a waiting job; false if it was not waiting. */
  remove(job: Job): boolean {
    const { waiting } = this.#accountOf(job.account);
    const index = waiting.indexOf(job);
    if (index === -1) return false;
    waiting.splice(index, 1);
    this.#size--;
    this.#deleteIdleAccounts();
    return true;
  }

  /** Removes and returns the next job, or undefined if none may start. The caller must pass it to `done`. */
  take(): Job | undefined {
    const [next] = this.#candidates().sort(
      (one, other) =>
        priorityOf(one.job) - priorityOf(other.job) ||
        Number(one.isHeavy) - Number(other.isHeavy) ||
        one.account.turn - other.account.turn,
    );
    if (!next) return undefined;
    next.account.running++;
    next.account.turn = ++this.#turns;
    this.remove(next.job);
    return next.job;
  }

  /** Records that a job from `take` has finished after this many ms. */
  done(job: Job, ms: number): void {
    const account = this.#accountOf(job.account);
    account.running--;
    account.spentMs += ms;
    this.#deleteIdleAccounts();
  }

  /** The next job of each account that may start one now. */
  #candidates() {
    const accounts = [...this.#accounts.values()].map((account) => ({
      account,
      isHeavy: this.#isHeavy(account),
    }));
    const heavyRunning = accounts.reduce(
      (sum, { account, isHeavy }) => sum + (isHeavy ? account.running : 0),
      0,
    );
    const hasHeavySlot = heavyRunning < Math.max(1, this.#bounds.workers - 1);
    return accounts.flatMap(({ account, isHeavy }) => {
      const job = firstOf(account.waiting);
      const mayRun = account.running < account.share.atOnce && (hasHeavySlot || !isHeavy);
      return job && mayRun ? [{ account, isHeavy, job }] : [];
    });
  }

  #isHeavy(account: Account<Job>): boolean {
    this.#refill(account);
    return account.spentMs > account.share.hourlyMs * HEAVY_FRACTION;
  }

  #accountOf(key = ""): Account<Job> {
    const known = this.#accounts.get(key);
    if (known) return known;
    const share = key === "" ? UNBOUNDED : this.#bounds.share;
    const account = { share, waiting: [], running: 0, spentMs: 0, countedAt: this.#now(), turn: 0 };
    this.#accounts.set(key, account);
    return account;
  }

  #refill(account: Account<Job>): void {
    const now = this.#now();
    const refilledMs = ((now - account.countedAt) / HOUR_MS) * account.share.hourlyMs;
    account.spentMs = Math.max(0, account.spentMs - refilledMs);
    account.countedAt = now;
  }

  /** Accounts without jobs and without used time equal new ones, so they are deleted to free memory. */
  #deleteIdleAccounts(): void {
    for (const [key, account] of this.#accounts) {
      this.#refill(account);
      if (account.waiting.length + account.running + account.spentMs === 0) this.#accounts.delete(key);
    }
  }
}

interface LimitedJob extends QueuedJob {
  /** Runs the job. The result is a function that settles the caller's promise. */
  begin(): Promise<() => void>;
  refuse(error: unknown): void;
  /** Time in ms from which its running time is charged. */
  startedAt: number;
}

/** Runs a limited number of jobs at the same time; the others wait in a FairQueue. */
export class FairLimit {
  readonly #queue: FairQueue<LimitedJob>;
  readonly #workers: number;
  readonly #running = new Set<Promise<void>>();

  constructor(bounds: Bounds) {
    this.#queue = new FairQueue(bounds);
    this.#workers = bounds.workers;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Throws RATE_LIMITED as `FairQueue.check` does. */
  check(account: string | undefined): void {
    this.#queue.check(account);
  }

  /**
   * Runs `work` when it is its turn, and returns its result. Its account is charged for the whole running time, or from the
   * call of `paysFromNow` on. Throws RATE_LIMITED as `check` does, and BAD_REQUEST once `signal` has aborted.
   */
  run<Output>(client: QueuedJob, work: (paysFromNow: () => void) => Promise<Output>): Promise<Output> {
    const { account, priority, signal } = client;
    return new Promise((resolve, reject) => {
      throwIfAborted(signal);
      const cancel = () => {
        if (this.#queue.remove(job)) reject(noLongerNeeded(signal));
      };
      const begin = async () => {
        signal?.removeEventListener("abort", cancel);
        try {
          const output = await work(() => {
            job.startedAt = performance.now();
          });
          return () => resolve(output);
        } catch (error) {
          return () => reject(error);
        }
      };
      const job: LimitedJob = { account, priority, begin, refuse: reject, startedAt: 0 };
      const removed = this.#queue.add(job);
      signal?.addEventListener("abort", cancel);
      removed?.job.refuse(removed.refusal);
      this.#startJobs();
    });
  }

  /** Waits until no job is running. */
  async untilIdle(): Promise<void> {
    while (!this.isIdle) await Promise.all(this.#running);
  }

  #startJobs(): void {
    while (this.#running.size < this.#workers) {
      const job = this.#queue.take();
      if (!job) return;
      job.startedAt = performance.now();
      const work = job.begin().then((settle) => {
        this.#queue.done(job, performance.now() - job.startedAt);
        this.#running.delete(work);
        settle();
        this.#startJobs();
      });
      this.#running.add(work);
    }
  }
}

/** Throws BAD_REQUEST once `signal` has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw noLongerNeeded(signal);
}

function noLongerNeeded(signal: AbortSignal | undefined): AppError {
  return new AppError("BAD_REQUEST", "The request was cancelled", { cause: signal?.reason });
}

function firstOf<Job extends QueuedJob>(jobs: Job[]): Job | undefined {
  const priority = Math.min(...jobs.map(priorityOf));
  return jobs.find((job) => priorityOf(job) === priority);
}

function priorityOf({ priority = 0 }: QueuedJob): number {
  return priority;
}

function tooMany({ things }: Share): AppError {
  return new AppError(
    "RATE_LIMITED",
    `Too many of your ${things} are waiting. Please try again in a minute`,
    {
      retryAfterSeconds: 60,
    },
  );
}

/** For a caller who loses their only waiting job: they do not have too many themselves. */
function full({ things }: Share): AppError {
  return new AppError("RATE_LIMITED", `Too many ${things} are waiting. Please try again in a minute`, {
    retryAfterSeconds: 60,
  });
}

function tooExpensive({ things, hourlyMs }: Share, spentMs: number): AppError {
  const minutes = Math.max(1, Math.ceil((((spentMs - hourlyMs) / hourlyMs) * HOUR_MS) / MINUTE_MS));
  return new AppError(
    "RATE_LIMITED",
    `Your ${things} took too much processing time in the last hour. Please try again in ${counted(minutes, "minute")}`,
    { retryAfterSeconds: minutes * 60 },
  );
}

/** Multiplies the waiting jobs and the hourly time of a share; 0 removes both limits and keeps `atOnce`. */
export function scaledShare(share: Share, scale: number): Share {
  if (scale === 0) return { ...UNBOUNDED, atOnce: share.atOnce };
  return { ...share, waiting: Math.ceil(share.waiting * scale), hourlyMs: share.hourlyMs * scale };
}
