import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { AppError } from "./errors.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * How often a thing may be done under one key, in so many seconds. A college shares few addresses among
 * thousands of students, so the limits per address are wide and the limits per account are narrow.
 */
const RULES = {
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
  registerAddress: { points: 100, duration: HOUR },
  contactAddress: { points: 30, duration: HOUR },
  uploadAccount: { points: 300, duration: HOUR },
  downloadAccount: { points: 20, duration: HOUR },
  orderAccount: { points: 60, duration: HOUR },
  reportAccount: { points: 20, duration: HOUR },
  receiptAccount: { points: 120, duration: HOUR },
} as const;
export type LimitName = keyof typeof RULES;

export interface Limits {
  /** Counts one use of `name` under `key`; throws RATE_LIMITED when there are none left. */
  use(name: LimitName, key: string): Promise<void>;
  /** Forgets what was counted of `name` under `key`: a login that succeeded wipes out the failed ones. */
  forgive(name: LimitName, key: string): Promise<void>;
}

/** @param scale multiplies every limit; 0 turns them off. */
export function createLimits(scale: number): Limits {
  if (scale === 0) return { use: async () => {}, forgive: async () => {} };
  const limiters = new Map(
    Object.entries(RULES).map(([name, { points, duration }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points: Math.max(1, Math.round(points * scale)), duration }),
    ]),
  );
  return {
    async use(name, key) {
      try {
        await limiters.get(name)?.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const seconds = Math.ceil(refusal.msBeforeNext / 1000);
        throw new AppError("RATE_LIMITED", `Too many attempts. Please try again in ${inWords(seconds)}`, {
          retryAfterSeconds: seconds,
        });
      }
    },
    async forgive(name, key) {
      await limiters.get(name)?.delete(key);
    },
  };
}

function inWords(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / MINUTE);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
