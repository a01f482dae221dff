import { isIPv6 } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { LIMITS, type LimitName, type Limits } from "../limits.ts";
import { DatabaseLimiter } from "./limits.limiter.ts";
import { deleteCountsBefore } from "./limits.queries.ts";

type LimitDeps = Pick<Deps, "db" | "now" | "keyring">;

/** @param scale multiplies every limit; 0 turns them off. */
export function createLimits(deps: LimitDeps, scale: number): Limits {
  const sweepExpired = () => deleteCountsBefore(deps.db, deps.now());
  if (scale === 0) return { use: async () => {}, forgive: async () => {}, sweepExpired };
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, { points, duration }]) => [
      name,
      new DatabaseLimiter(deps, {
        keyPrefix: name,
        points: Math.max(1, Math.round(points * scale)),
        duration,
      }),
    ]),
  );
  // The table names nobody: a copy of it does not tell who was here.
  const keyOf = (name: LimitName, key: string) => deps.keyring.mac("limit", `${name} ${householdOf(key)}`);
  return {
    async use(name, key) {
      await limiters.get(name)?.consume(keyOf(name, key)).catch(refuse);
    },
    async forgive(name, key) {
      await limiters.get(name)?.delete(keyOf(name, key));
    },
    sweepExpired,
  };
}

/** An IPv6 address as its network of 64 bits: one household has all of it and could use each address once. */
function householdOf(key: string): string {
  const address = key.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(address) ? expandIPv6(address).split(":").slice(0, 4).join(":") : address;
}

function refuse(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  const seconds = Math.ceil(refusal.msBeforeNext / 1000);
  throw new AppError("RATE_LIMITED", `Too many attempts. Please try again in ${inWords(seconds)}`, {
    retryAfterSeconds: seconds,
  });
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
