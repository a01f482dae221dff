import { availableParallelism } from "node:os";
import type { Options } from "@node-rs/argon2";
import { AppError } from "../errors.ts";
import { WorkerPool } from "../worker-pool.ts";

/** What a thread is asked to compute of a password. */
export type PasswordTask =
  | { kind: "hash"; password: string; parameters: Options }
  | { kind: "verify"; password: string; hash: string };

/** Long enough for a machine that is busy otherwise, since these threads come last there. */
const LIMIT_MS = 30_000;
const REST_MS = 10_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/**
 * One for each core: more would only make every one of them slower. They are not the pool in which files are read and
 * written, which would wait for passwords then.
 */
const THREADS = availableParallelism();
const threads = new WorkerPool<PasswordTask, string | boolean>({
  module: new URL("./accounts.password-worker.ts", import.meta.url),
  resourceLimits: RESOURCE_LIMITS,
  workers: THREADS,
  restMs: REST_MS,
});

/** The password's hash. Throws UNAVAILABLE when the thread gives no answer. @param network as in `compute` */
export async function hashApart(password: string, parameters: Options, network?: string): Promise<string> {
  return (await compute({ kind: "hash", password, parameters }, network)) as string;
}

/** Whether it is the password's hash. Throws UNAVAILABLE when the thread gives no answer. */
export async function verifyApart(hash: string, password: string, network?: string): Promise<boolean> {
  return (await compute({ kind: "verify", hash, password }, network)) === true;
}

/** Whether so many passwords wait that every core has work for a while, whatever comes. */
export function arePasswordsWaiting(): boolean {
  return threads.waiting >= 2 * THREADS;
}

/** @param network where the request came from: networks take turns, so that guesses from one keep no other's login waiting */
async function compute(task: PasswordTask, network?: string): Promise<string | boolean> {
  const output = await threads.run(task, { limitMs: LIMIT_MS, account: network });
  if (output === null) {
    throw new AppError("UNAVAILABLE", "Passwords cannot be checked just now. Please try again in a minute");
  }
  return output;
}
