import { hashSync, verifySync } from "@node-rs/argon2";
import { giveWay } from "../lib/scheduling.ts";
import { answerRequests } from "../lib/worker-pool.ts";
import type { PasswordTask } from "./passwords.ts";

giveWay();
answerRequests<PasswordTask, string | boolean>({
  perform: (task) =>
    task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.hash, task.password),
  isWorn: () => false,
});
