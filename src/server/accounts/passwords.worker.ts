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
 * Lowers the priority of the current thread, so that requests get the CPU before passwords. Kept for the benchmark row 'p99
 * of GET shopslocation while logins saturate', which exceeds its 40 ms without it. Works on Linux only, where a thread has
 * its own priority.
 */
function lowerThreadPriority(): void {
  try {
    const thread = basename(readlinkSync("/proc/thread-self"));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without it, reads only take longer.
  }
}
