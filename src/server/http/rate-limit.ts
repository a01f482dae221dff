import { isIPv6 } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import { LRUCache } from "lru-cache";
import { attempt, type Trx, transact } from "#db/transaction.ts";
import { counted } from "#shared/format.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { countUse, deleteCounts, deleteCountsBefore, findUses, subtractUses } from "./rate-limit.queries.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Limit {
  points: number;
  /** In seconds, counted from the first use. */
  duration: number;
  /** Alternative for the refused person; it is appended to the sentence that says when to try again. */
  instead?: string;
}

const BY_LINK = "or choose a new password by 'Forgot Password'";
const BY_NETWORK = "or use another network, such as mobile data";

/**
 * Maximum number of uses per key and time. The end of a name says what the key is; a `Pair` is an account and an address, so
 * a stranger's failures do not lock out the owner elsewhere. All students of a campus may share one address, so limits by
 * address are high and short: in 15 minutes 300 students may each have 6 wrong passwords (1,800 of 2,000), 3 sign-ups (900
 * of 1,000), 5 codes and 5 links (1,500 of 2,000 each). One host on the campus can use these up and block the others for
 * that time. Mails count only if an account receives them, so a host must know the e-mails of 300 neighbours to reach 1,500.
 * Requests for codes, requests for links and wrong codes count too (5,000 each), because each leaves rows for its e-mail,
 * with or without an account, and one host must not fill the disk. Entering a token does not count for the address. Guessing
 * is limited by account: 5 tries per code and 20 a day (1 in 50,000), 200 passwords a day, 40 of them from one address.
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
  otpSendAddress: { points: 5000, duration: 15 * MINUTE, instead: BY_NETWORK },
  otpSendDevice: { points: 5, duration: 15 * MINUTE },
  otpSendDeviceDay: { points: 20, duration: DAY },
  otpTryPair: { points: 10, duration: DAY, instead: BY_LINK },
  otpTryAddress: { points: 5000, duration: 15 * MINUTE, instead: BY_LINK },
  otpTryDevice: { points: 20, duration: DAY, instead: BY_LINK },
  /** Wrong tries at valid codes of an account, in any procedure and by anyone except its known devices. */
  codeTryAccount: { points: 20, duration: DAY },
  /** Codes that strangers can have mailed to an account in a day, and the rate after these are used up. */
  codeMailAccount: { points: 20, duration: DAY },
  codeMailAccountLate: { points: 1, duration: 30 * MINUTE },
  codeMailAddress: { points: 2000, duration: 15 * MINUTE },
  /** As long as a link is valid, so a refused person still has a working link in the mailbox. */
  recoveryPair: { points: 5, duration: 30 * MINUTE },
  recoveryAddress: { points: 5000, duration: 15 * MINUTE, instead: BY_NETWORK },
  recoveryDevice: { points: 5, duration: 30 * MINUTE },
  /** The same for recovery links. A link is valid for as long as it takes until the next may be sent. */
  linkMailAccount: { points: 10, duration: DAY },
  linkMailAccountLate: { points: 1, duration: 30 * MINUTE },
  linkMailAddress: { points: 2000, duration: 15 * MINUTE },
  /** Codes and links mailed at the request of an account's known devices and sessions. Later ones count as strangers'. */
  deviceMailAccount: { points: 60, duration: DAY },
  invitingOwner: { points: 20, duration: DAY },
  invitingRecipient: { points: 5, duration: DAY },
  /** Most of them change what guests see, so all cached lists and pages are thrown away, and the audit log keeps each for good. */
  shopChangeStaff: { points: 600, duration: HOUR, instead: "or ask a colleague to do it" },
  shopMove: { points: 10, duration: DAY },
  upiChangeShop: { points: 5, duration: DAY },
  registerPair: { points: 10, duration: HOUR, instead: BY_LINK },
  registerAccount: { points: 20, duration: DAY, instead: BY_LINK },
  registerAddress: { points: 1000, duration: 15 * MINUTE, instead: BY_NETWORK },
  contactAccount: { points: 10, duration: HOUR },
  /** Of guests. Whoever types the e-mail of somebody else must not use up that person's messages. */
  contactPair: { points: 10, duration: HOUR, instead: BY_NETWORK },
  contactAddress: { points: 60, duration: 15 * MINUTE, instead: BY_NETWORK },
  uploadAccount: { points: 300, duration: HOUR },
  /** Wrong passwords of locked PDFs. */
  filePasswordAccount: { points: 10, duration: 15 * MINUTE },
  uploadAddress: { points: 3000, duration: HOUR },
  downloadAccount: { points: 20, duration: HOUR },
  orderAccount: { points: 60, duration: HOUR },
  /** Orders that a clerk enters for people at the counter. */
  orderStaff: { points: 200, duration: HOUR },
  /** Orders that a clerk puts on hold or changes to another option, each with a mail: ten presses of 100 orders. */
  holdStaff: { points: 1000, duration: HOUR, instead: "or ask a colleague to do it" },
  /** Those of one student at one shop, who cannot switch the mails off. */
  holdStudent: { points: 30, duration: HOUR, instead: "or call the student" },
  reportAccount: { points: 20, duration: HOUR },
  /** Each changes what guests see of a shop, so all cached lists and pages are thrown away. */
  ratingAccount: { points: 20, duration: HOUR },
  /** Each changes what all orders of the account are found by. */
  renameAccount: { points: 10, duration: HOUR },
  /**
   * At a shop's counter. A shop's phones may share one address, so that limits of an address are twice what a busy shop needs;
   * a new code makes a fresh start for a shop whose code became known. Wrong codes never keep a right one out: nobody guesses 48
   * bits, and whoever is beyond the limit is only told to wait.
   */
  visitAddress: { points: 120, duration: HOUR, instead: "or use mobile data" },
  visitCode: { points: 1000, duration: DAY, instead: "or ask the staff for a new code" },
  visitShop: { points: 3000, duration: DAY },
  visitWrongAddress: { points: 60, duration: 15 * MINUTE },
  visitWrongShop: { points: 600, duration: 15 * MINUTE },
  uploadVisit: { points: 60, duration: 2 * HOUR },
  orderVisit: { points: 6, duration: 2 * HOUR },
  orderVisitAddress: { points: 200, duration: HOUR, instead: "or use mobile data" },
  orderVisitCode: { points: 1000, duration: DAY, instead: "or ask the staff for a new code" },
  receiptAccount: { points: 120, duration: HOUR },
} as const satisfies Record<string, Limit>;
export type LimitName = keyof typeof LIMITS;
/** A limit and the parts of the key under which its uses are counted. */
export type LimitUse = readonly [name: LimitName, ...key: string[]];

/** Counts in the database: all servers share them, and they survive a restart. */
export interface Limits {
  /** Counts one use of `name` under `key`. Throws RATE_LIMITED when there are none left. */
  use(name: LimitName, key: string): Promise<void>;
  /**
   * Counts one use of each in one transaction, in order. Throws at the first that has none left; the uses before it stay
   * counted, those after it are not.
   */
  takeAll(...uses: LimitUse[]): Promise<void>;
  /** Counts one use in the caller's transaction; its RATE_LIMITED error rolls that transaction back. */
  take(trx: Trx, use: LimitUse): Promise<void>;
  /** Counts one use in the caller's transaction. Returns false and counts nothing when there are none left. */
  tryUse(trx: Trx, use: LimitUse): Promise<boolean>;
  hasLeft(trx: Trx, use: LimitUse): Promise<boolean>;
  /** How many uses are counted now. */
  uses(trx: Trx, use: LimitUse): Promise<number>;
  /**
   * Counts one use and runs `body` in one transaction; does not run it when no uses are left. If `body` throws, its writes
   * are rolled back but the use stays counted; a failure of the database rolls back both.
   */
  within<T>(use: LimitUse, body: (trx: Trx) => Promise<T>): Promise<T>;
  /** Throws RATE_LIMITED if this server remembers that no uses are left. Does not query the database and counts nothing. */
  refuseExhausted(name: LimitName, key: string): void;
  /** Deletes the counts, for example the failed logins after a successful one. */
  forgive(uses: LimitUse[]): Promise<void>;
  /**
   * Subtracts one use each, after a try that counted as a failure turned out to be none. Uses `trx` if the caller has one.
   */
  giveBack(uses: LimitUse[], trx?: Trx): Promise<void>;
  /** Deletes expired counts. */
  deleteExpired(): Promise<void>;
}

/** The /64 network of an IPv6 address, because one household can use all its addresses; IPv4 addresses stay as they are. */
export function networkOf(key: string): string {
  const address = key.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(address) ? expandIPv6(address).split(":").slice(0, 4).join(":") : address;
}

/** About 2 MB of keys. */
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
      uses: async () => 0,
      within: (_, body) => transact(db, body),
      forgive: nothing,
      giveBack: nothing,
      refuseExhausted() {},
      deleteExpired,
    };
  }
  const maxOf = ([name]: LimitUse) => Math.max(1, Math.round(LIMITS[name].points * scale));
  // Keys are hashed, so a copy of the table does not reveal who used the store.
  const keyOf = ([name, ...key]: LimitUse) =>
    `${name}:${keyring.mac("limit", [name, ...key.map(networkOf)].join(" "))}`;

  /** When refused keys have uses left again. A dropped entry only costs a query. */
  const refusedUntil = new LRUCache<string, Date>({ max: MAX_REMEMBERED });

  /** Returns the keys of the uses, and forgets that they were refused. */
  function keysToFree(uses: LimitUse[]): string[] {
    const keys = uses.map(keyOf);
    for (const key of keys) refusedUntil.delete(key);
    return keys;
  }

  async function count(trx: Trx, use: LimitUse): Promise<Refusal | null> {
    const { duration } = LIMITS[use[0]];
    const time = now();
    const refused = await countUse(trx, {
      key: keyOf(use),
      most: maxOf(use),
      now: time,
      expiresAt: new Date(time.getTime() + duration * 1000),
    });
    if (!refused) return null;
    refusedUntil.set(keyOf(use), refused.freeAt);
    return { use, msLeft: Math.max(refused.freeAt.getTime() - time.getTime(), 0) };
  }

  /**
   * Counts the uses and runs `body` in one transaction. A refusal is thrown after the commit, so that the counts before it
   * are kept.
   */
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

  const uses: Limits["uses"] = (trx, use) => findUses(trx, { key: keyOf(use), now: now() });

  return {
    use: (...use) => countAndRun([use], nothing),
    takeAll: (...uses) => countAndRun(uses, nothing),
    async take(trx, use) {
      const refusal = await count(trx, use);
      if (refusal) throw toError(refusal);
    },
    tryUse: async (trx, use) => (await count(trx, use)) === null,
    hasLeft: async (trx, use) => (await uses(trx, use)) < maxOf(use),
    uses,
    async within(use, body) {
      // An error thrown inside the transaction would roll back the count.
      const outcome = await countAndRun([use], (trx) => attempt(trx, () => body(trx)));
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
    refuseExhausted(...use) {
      const msLeft = (refusedUntil.get(keyOf(use))?.getTime() ?? 0) - now().getTime();
      if (msLeft > 0) throw toError({ use, msLeft });
    },
    forgive: (uses) => deleteCounts(db, keysToFree(uses)),
    giveBack: (uses, trx) => subtractUses(trx ?? db, keysToFree(uses)),
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
  if (seconds < MINUTE) return counted(seconds, "second");
  if (seconds < 2 * HOUR) return counted(Math.ceil(seconds / MINUTE), "minute");
  return counted(Math.ceil(seconds / HOUR), "hour");
}
