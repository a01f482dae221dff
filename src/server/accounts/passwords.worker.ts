import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { hashSync, verifySync } from "@node-rs/argon2";
import { answerRequests } from "../lib/worker-pool.ts";
import type { PasswordTask } from "./passwords.ts";

lowerThreadPriority();
answerRequests<PasswordTask, string | boolean>({
  perform: (task) =>
    task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.hash, task.password),
  isExhausted: () => false,
});

/**
 * Lets requests have the core before passwords. Kept for the row 'p99 of GET shopslocation while logins saturate' of the
 * bench, which exceeds its 40 ms without it. Linux sets priorities by thread; elsewhere nothing happens.
 */
function lowerThreadPriority(): void {
  try {
    const thread = basename(readlinkSync("/proc/thread-self"));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Reads only take longer then.
  }
}
