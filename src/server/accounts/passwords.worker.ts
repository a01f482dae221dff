import { hashSync, verifySync } from "@node-rs/argon2";
import { lowerThreadPriority } from "../lib/scheduling.ts";
import { answerRequests } from "../lib/worker-pool.ts";
import type { PasswordTask } from "./passwords.ts";

lowerThreadPriority();
answerRequests<PasswordTask, string | boolean>({
  perform: (task) =>
    task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.hash, task.password),
  isWorn: () => false,
});
