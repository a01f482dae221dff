import { isIPv6 } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import { LRUCache } from "lru-cache";
import { attempt, type Trx, transact } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  countUse,
  deleteCounts,
  deleteCountsBefore,
  hasUsesLeft,
  subtractUses,
} from "./rate-limit.queries.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Limit {
  points: number;
  /** In seconds, from the first use on. */
  duration: number;
  /** What else a person can do who is refused; it ends the sentence that says when to try again. */
  instead?: string;
}

const BY_LINK = "or choose a new password by 'Forgot Password'";
const BY_NETWORK = "or use another network, such as mobile data";

/**
 * How often a thing may be done under one key, in so many seconds. The key is what the name ends with; a `Pair` is an
 * account and an address, so that what a stranger does wrong does not stop the owner elsewhere.
 *
 * A campus shares one address, so that what is counted under it is wide and short. In a quarter of an hour 300 students
 * may each have 6 wrong passwords (1,800 of 2,000), 3 sign-ups (900 of 1,000), 5 codes and 5 links (1,500 of 2,000 each);
 * a host there that uses these up stops the others for that quarter. What is mailed counts only where an account gets it:
 * a host that knows 300 of its neighbours' e-mails reaches 1,500. A code or a token that is entered counts for no address.
 * Guessing is held by the account: 5 tries a code and 20 a day (1 in 50,000), 200 passwords a day, of one address 40.
 */
export const LIMITS = {
  loginPair: { points: 10, duration: 15 * MINUTE, instead: BY_LINK },
  loginPairDay: { points: 40, duration: DAY, instead: BY_LINK },
  loginAccount: { points: 200, duration: DAY, instead: BY_LINK },
  loginAddress: { points: 2000, duration: 15 * MINUTE, instead: BY_LINK },
  loginDevice: { points: 10, duration: 15 * MINUTE, instead: BY_LINK },
  loginDeviceDay: { points: 40, duration: DAY, instead: BY_LINK },
  passwordTrySession: { points: 10, duration: 15 * MINUTE },
  passwordTrySessionDay: { points: 40, duration: DAY },
  otpSendPair: { points: 5, duration: 15 * MINUTE },
  secondFactorPair: { points: 10, duration: 15 * MINUTE },
  secondFactorAccount: { points: 50, duration: DAY },
  passkeyAddress: { points: 2000, duration: 15 * MINUTE },
  otpSendDevice: { points: 5, duration: 15 * MINUTE },
  otpSendDeviceDay: { points: 20, duration: DAY },
  otpTryPair: { points: 10, duration: DAY, instead: BY_LINK },
  otpTryDevice: { points: 20, duration: DAY, instead: BY_LINK },
  /** Wrong tries at living codes of an account, whichever way and whoever enters them, but for its known devices. */
  codeTryAccount: { points: 20, duration: DAY },
  /** Codes that strangers have an account mailed in a day, and how often one goes out once those are used up. */
  codeMailAccount: { points: 20, duration: DAY },
  codeMailAccountLate: { points: 1, duration: 30 * MINUTE },
  codeMailAddress: { points: 2000, duration: 15 * MINUTE },
  /** As long as a link lives: who is refused has one in the mailbox that works. */
  recoveryPair: { points: 5, duration: 30 * MINUTE },
  recoveryDevice: { points: 5, duration: 30 * MINUTE },
  /** The same for recovery links; a link lives as long as it takes until the next goes out. */
  linkMailAccount: { points: 10, duration: DAY },
  linkMailAccountLate: { points: 1, duration: 30 * MINUTE },
  linkMailAddress: { points: 2000, duration: 15 * MINUTE },
  invitingOwner: { points: 20, duration: 24 * HOUR },
  invitingRecipient: { points: 5, duration: 24 * HOUR },
  shopRename: { points: 10, duration: 24 * HOUR },
  upiChangeShop: { points: 5, duration: DAY },
  registerPair: { points: 10, duration: HOUR, instead: BY_LINK },
  registerAccount: { points: 20, duration: DAY, instead: BY_LINK },
  registerAddress: { points: 1000, duration: 15 * MINUTE, instead: BY_NETWORK },
  contactAccount: { points: 10, duration: HOUR },
  contactAddress: { points: 30, duration: HOUR },
  uploadAccount: { points: 300, duration: HOUR },
  uploadAddress: { points: 3000, duration: HOUR },
  downloadAccount: { points: 20, duration: HOUR },
  orderAccount: { points: 60, duration: HOUR },
  reportAccount: { points: 20, duration: HOUR },
  receiptAccount: { points: 120, duration: HOUR },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof LIMITS;
/** A limit and what makes up the key that a use of it is counted under. */
export type LimitUse = readonly [name: LimitName, ...key: string[]];

/** Counts that all servers on one database share, and that outlive a restart. */
export interface Limits {
  /** Counts one use of `name` under `key`; throws RATE_LIMITED when there are none left. */
  use(name: LimitName, key: string): Promise<void>;
  /** Counts one use of each in turn, with one commit; what stands behind one that refuses is not counted. */
  takeAll(...uses: LimitUse[]): Promise<void>;
  /** The same within the caller's transaction, which ends where it throws. */
  take(trx: Trx, use: LimitUse): Promise<void>;
  /** Counts one use within the caller's transaction. False, and nothing is counted, when there are none left. */
  tryUse(trx: Trx, use: LimitUse): Promise<boolean>;
  hasLeft(trx: Trx, use: LimitUse): Promise<boolean>;
  /**
   * Counts one use and runs `body` with one commit. Where `body` throws the use stays counted, and nothing that it wrote
   * stays; where the database itself fails neither does. Where there are none left `body` is not run.
   */
  within<T>(use: LimitUse, body: (trx: Trx) => Promise<T>): Promise<T>;
  /** Throws RATE_LIMITED where this server knows that there are no uses left, without asking the database; counts nothing. */
  refuseSpent(name: LimitName, key: string): void;
  /** Forgets all that was counted: a login that succeeded wipes out the failed ones. */
  forgive(...uses: LimitUse[]): Promise<void>;
  /** Takes one use back, of what counts failures and was none; in a transaction of the caller's, if any. */
  giveBack(uses: LimitUse[], trx?: Trx): Promise<void>;
  /** Clears away counts that have run out. */
  deleteExpired(): Promise<void>;
}

/** An IPv6 address as its network of 64 bits: one household has all of it and could use each address once. */
export function networkOf(key: string): string {
  const address = key.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(address) ? expandIPv6(address).split(":").slice(0, 4).join(":") : address;
}

/** Some 2 MB of keys. */
const MAX_REMEMBERED = 10_000;

type LimitDeps = Pick<Deps, "db" | "now" | "keyring">;

/** @param scale multiplies every limit; 0 turns them off. */
export function createLimits(deps: LimitDeps, scale: number): Limits {
  const { db, now, keyring } = deps;
  const deleteExpired = () => deleteCountsBefore(db, now());
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
      deleteExpired,
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
    deleteExpired,
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
