import { hashSync, verifySync } from "@node-rs/argon2";
import { giveWay } from "../give-way.ts";
import { answerRequests } from "../worker-replies.ts";
import type { PasswordTask } from "./accounts.password-threads.ts";

giveWay();
answerRequests<PasswordTask, string | boolean>({
  perform: (task) =>
    task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.hash, task.password),
  isWorn: () => false,
});
