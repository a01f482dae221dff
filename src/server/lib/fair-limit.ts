import { counted } from "#shared/format.ts";
import { AppError } from "../errors.ts";

/** What one account may have of a queue. */
export interface Share {
  /** What its jobs are about, as people read it: `files`. */
  things: string;
  /** How many of its jobs are worked on at once. */
  atOnce: number;
  /** How many of its jobs may wait. */
  waiting: number;
  /** How many ms its jobs may take within an hour. They come back evenly, as time passes. */
  hourlyMs: number;
}

/** Who waits for a job. */
export interface Client {
  /** Whose job it is. The server's own jobs have none, and no bounds. */
  account?: string | undefined;
  /** Aborted once nobody waits for it any more. */
  signal?: AbortSignal | undefined;
}

/** A job as its queue sees it. */
export interface QueuedJob extends Client {
  /** Jobs of a lower number go first, whoever's they are. */
  priority?: number | undefined;
}

export interface Bounds {
  /** How many jobs are worked on at once. */
  workers: number;
  /** What one account may have; as much as it likes without. */
  share?: Share | undefined;
  /** How many jobs may wait, of all accounts. Beyond it the account with the most of them loses its last one. */
  maxWaiting?: number | undefined;
}

interface Account<Job> {
  share: Share;
  waiting: Job[];
  underWay: number;
  spentMs: number;
  /** When `spentMs` was right. */
  countedAt: number;
  /** When it last had its turn; a lower number is earlier. */
  turn: number;
}

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** An account that has spent this part of its hour goes behind the others, and leaves one worker to them. */
const HEAVY = 1 / 20;
const MAX_WAITING = 500;
const WITHOUT_END = Number.MAX_SAFE_INTEGER;
const UNBOUNDED: Share = {
  things: "requests",
  atOnce: WITHOUT_END,
  waiting: WITHOUT_END,
  hourlyMs: WITHOUT_END,
};

/** Jobs that wait for workers. Accounts take turns, however many jobs each has, and pay for what their jobs take. */
export class FairQueue<Job extends QueuedJob> {
  readonly #accounts = new Map<string, Account<Job>>();
  readonly #bounds: Required<Bounds>;
  readonly #now: () => number;
  #size = 0;
  #turns = 0;

  /** @param now the clock, in ms */
  constructor(
    { workers, share = UNBOUNDED, maxWaiting = MAX_WAITING }: Bounds,
    now = () => performance.now(),
  ) {
    this.#bounds = { workers, share, maxWaiting };
    this.#now = now;
  }

  /** How many jobs wait. */
  get size(): number {
    return this.#size;
  }

  /** Throws RATE_LIMITED where the account may not add a job. */
  check(key: string | undefined): void {
    const account = this.#accounts.get(key ?? "");
    if (!account) return;
    this.#giveBack(account);
    const { share, waiting, spentMs } = account;
    if (waiting.length >= share.waiting) throw tooMany(share);
    if (spentMs >= share.hourlyMs) throw tooExpensive(share, spentMs);
  }

  /**
   * Throws as `check` does. Where there is no room for all, gives the job that has lost its place, and what its account is
   * to be told.
   */
  add(job: Job): { job: Job; refusal: AppError } | undefined {
    this.check(job.account);
    const account = this.#open(job.account);
    account.waiting.push(job);
    this.#size++;
    if (this.#size <= this.#bounds.maxWaiting) return undefined;
    const others = [...this.#accounts.values()];
    const crowd = others.reduce(
      (most, other) => (other.waiting.length > most.waiting.length ? other : most),
      account,
    );
    const loser = crowd.waiting.at(-1) ?? job;
    this.remove(loser);
    return { job: loser, refusal: crowd.waiting.length > 0 ? tooMany(crowd.share) : full(crowd.share) };
  }

  /** Whether the job waited. It does not any more. */
  remove(job: Job): boolean {
    const { waiting } = this.#open(job.account);
    const index = waiting.indexOf(job);
    if (index >= 0) {
      waiting.splice(index, 1);
      this.#size--;
    }
    this.#forgetIdle();
    return index >= 0;
  }

  /** The job whose turn it is, which must be given to `done`; none where each has to wait on. */
  take(): Job | undefined {
    if (this.#size === 0) return undefined;
    const [next] = this.#candidates().sort(
      (one, other) =>
        (one.job.priority ?? 0) - (other.job.priority ?? 0) ||
        Number(one.isHeavy) - Number(other.isHeavy) ||
        one.account.turn - other.account.turn,
    );
    if (!next) return undefined;
    next.account.underWay++;
    next.account.turn = ++this.#turns;
    this.remove(next.job);
    return next.job;
  }

  /** Says that a job that was taken is done, and took so many ms. */
  done(job: Job, ms: number): void {
    const account = this.#open(job.account);
    account.underWay--;
    account.spentMs += ms;
    this.#forgetIdle();
  }

  /** The next job of each account that may have one begun. */
  #candidates() {
    const accounts = [...this.#accounts.values()].map((account) => ({
      account,
      isHeavy: this.#isHeavy(account),
    }));
    const heavyOnes = accounts.reduce(
      (sum, { account, isHeavy }) => sum + (isHeavy ? account.underWay : 0),
      0,
    );
    const mayBeHeavy = heavyOnes < Math.max(1, this.#bounds.workers - 1);
    return accounts.flatMap(({ account, isHeavy }) => {
      const job = firstOf(account.waiting);
      const mayRun = account.underWay < account.share.atOnce && (mayBeHeavy || !isHeavy);
      return job && mayRun ? [{ account, isHeavy, job }] : [];
    });
  }

  #isHeavy(account: Account<Job>): boolean {
    this.#giveBack(account);
    return account.spentMs > account.share.hourlyMs * HEAVY;
  }

  #open(key = ""): Account<Job> {
    const known = this.#accounts.get(key);
    if (known) return known;
    const share = key === "" ? UNBOUNDED : this.#bounds.share;
    const account = { share, waiting: [], underWay: 0, spentMs: 0, countedAt: this.#now(), turn: 0 };
    this.#accounts.set(key, account);
    return account;
  }

  #giveBack(account: Account<Job>): void {
    const now = this.#now();
    const back = ((now - account.countedAt) / HOUR_MS) * account.share.hourlyMs;
    account.spentMs = Math.max(0, account.spentMs - back);
    account.countedAt = now;
  }

  /** An account that owes nothing and has nothing here is as one that never was. */
  #forgetIdle(): void {
    for (const [key, account] of this.#accounts) {
      this.#giveBack(account);
      if (account.waiting.length + account.underWay + account.spentMs === 0) this.#accounts.delete(key);
    }
  }
}

interface LimitedJob extends QueuedJob {
  /** Gives what tells how it ended. */
  begin(): Promise<() => void>;
  refuse(error: unknown): void;
  /** Since when its account pays for it. */
  startedAt: number;
}

/** Has so many jobs done at once, and the others wait for their turn as a FairQueue has it. */
export class FairLimit {
  readonly #queue: FairQueue<LimitedJob>;
  readonly #workers: number;
  readonly #underWay = new Set<Promise<void>>();

  constructor(bounds: Bounds) {
    this.#queue = new FairQueue(bounds);
    this.#workers = bounds.workers;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Throws RATE_LIMITED where the account may not have a job done. */
  check(account: string | undefined): void {
    this.#queue.check(account);
  }

  /**
   * What `work` gives, in its turn. The account pays for the time that it takes, from the call of `paysFromNow` on where
   * there is one. Throws RATE_LIMITED as `check` does, and BAD_REQUEST where nobody waits for it any more.
   */
  run<Output>(client: QueuedJob, work: (paysFromNow: () => void) => Promise<Output>): Promise<Output> {
    const { account, priority, signal } = client;
    return new Promise((resolve, reject) => {
      throwIfUnwanted(signal);
      const leave = () => {
        if (this.#queue.remove(job)) reject(unwanted(signal));
      };
      const begin = async () => {
        signal?.removeEventListener("abort", leave);
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
      const crowdedOut = this.#queue.add(job);
      signal?.addEventListener("abort", leave);
      crowdedOut?.job.refuse(crowdedOut.refusal);
      this.#beginJobs();
    });
  }

  /** Waits until there is nothing to do. */
  async untilIdle(): Promise<void> {
    while (!this.isIdle) await Promise.all(this.#underWay);
  }

  #beginJobs(): void {
    while (this.#underWay.size < this.#workers) {
      const job = this.#queue.take();
      if (!job) return;
      job.startedAt = performance.now();
      const work = job.begin().then((tell) => {
        this.#queue.done(job, performance.now() - job.startedAt);
        this.#underWay.delete(work);
        tell();
        this.#beginJobs();
      });
      this.#underWay.add(work);
    }
  }
}

/** Throws BAD_REQUEST once `signal` has aborted. */
export function throwIfUnwanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw unwanted(signal);
}

function unwanted(signal: AbortSignal | undefined): AppError {
  return new AppError("BAD_REQUEST", "Nobody waits for this any more", { cause: signal?.reason });
}

function firstOf<Job extends QueuedJob>(jobs: Job[]): Job | undefined {
  const priority = Math.min(...jobs.map((job) => job.priority ?? 0));
  return jobs.find((job) => (job.priority ?? 0) === priority);
}

function tooMany({ things }: Share): AppError {
  return new AppError(
    "RATE_LIMITED",
    `Too many of your ${things} wait already. Please try again in a minute`,
    {
      retryAfterSeconds: 60,
    },
  );
}

/** For whose only job it was: there is nothing that they have too many of. */
function full({ things }: Share): AppError {
  return new AppError("RATE_LIMITED", `Too many ${things} wait already. Please try again in a minute`, {
    retryAfterSeconds: 60,
  });
}

function tooExpensive({ things, hourlyMs }: Share, spentMs: number): AppError {
  const minutes = Math.max(1, Math.ceil((((spentMs - hourlyMs) / hourlyMs) * HOUR_MS) / MINUTE_MS));
  return new AppError(
    "RATE_LIMITED",
    `Your ${things} took too much work in the last hour. Please try again in ${counted(minutes, "minute")}`,
    { retryAfterSeconds: minutes * 60 },
  );
}

/** A share so many times as large; 0 leaves only what is done at once. */
export function scaledShare(share: Share, scale: number): Share {
  if (scale === 0) return { ...UNBOUNDED, atOnce: share.atOnce };
  return { ...share, waiting: Math.ceil(share.waiting * scale), hourlyMs: share.hourlyMs * scale };
}
