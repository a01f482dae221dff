import { isIPv6 } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import type { Trx } from "#db/transaction.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * How often a thing may be done under one key, in so many seconds. A college shares few addresses among
 * thousands of students, so the limits per address are wide and the limits per account are narrow.
 */
export const LIMITS = {
  loginAccount: { points: 10, duration: 15 * MINUTE },
  loginAddress: { points: 200, duration: 15 * MINUTE },
  passwordTryAccount: { points: 10, duration: 15 * MINUTE },
  otpSendAccount: { points: 5, duration: 15 * MINUTE },
  otpSendAddress: { points: 100, duration: 15 * MINUTE },
  otpTryAccount: { points: 20, duration: 15 * MINUTE },
  otpTryAddress: { points: 200, duration: 15 * MINUTE },
  recoveryAccount: { points: 5, duration: HOUR },
  recoveryAddress: { points: 100, duration: HOUR },
  resetAddress: { points: 60, duration: HOUR },
  invitationAddress: { points: 60, duration: HOUR },
  invitingOwner: { points: 20, duration: 24 * HOUR },
  invitingRecipient: { points: 5, duration: 24 * HOUR },
  shopRename: { points: 10, duration: 24 * HOUR },
  undoAddress: { points: 60, duration: HOUR },
  registerAccount: { points: 10, duration: HOUR },
  registerAddress: { points: 100, duration: HOUR },
  contactAccount: { points: 10, duration: HOUR },
  contactAddress: { points: 30, duration: HOUR },
  uploadAccount: { points: 300, duration: HOUR },
  uploadAddress: { points: 3000, duration: HOUR },
  downloadAccount: { points: 20, duration: HOUR },
  orderAccount: { points: 60, duration: HOUR },
  reportAccount: { points: 20, duration: HOUR },
  receiptAccount: { points: 120, duration: HOUR },
} as const;
export type LimitName = keyof typeof LIMITS;
/** A limit and the key that a use of it is counted under. */
export type LimitUse = [name: LimitName, key: string];

/** Counts that all servers on one database share, and that outlive a restart. */
export interface Limits {
  /** Counts one use of `name` under `key`; throws RATE_LIMITED when there are none left. */
  use(name: LimitName, key: string): Promise<void>;
  /** Counts one use of the first and then one of the second, with one commit; the second only where the first has not refused. */
  takeBoth(first: LimitUse, second: LimitUse): Promise<void>;
  /**
   * Counts one use and runs `body` with one commit. Where `body` throws the use stays counted, and nothing that it wrote
   * stays; where the database itself fails neither does. Where there are none left `body` is not run.
   */
  within<T>(use: LimitUse, body: (trx: Trx) => Promise<T>): Promise<T>;
  /** Throws RATE_LIMITED where this server knows that there are no uses left, without asking the database; counts nothing. */
  refuseSpent(name: LimitName, key: string): void;
  /** Forgets what was counted of `name` under `key`: a login that succeeded wipes out the failed ones. */
  forgive(name: LimitName, key: string): Promise<void>;
  /** Clears away counts that have run out. */
  sweepExpired(): Promise<void>;
}

/** An IPv6 address as its network of 64 bits: one household has all of it and could use each address once. */
export function networkOf(key: string): string {
  const address = key.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(address) ? expandIPv6(address).split(":").slice(0, 4).join(":") : address;
}
