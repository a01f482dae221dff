import { hashSync, verifySync } from "@node-rs/argon2";
import { answerRequests } from "../lib/worker-replies.ts";
import type { PasswordTask } from "./passwords.ts";

answerRequests<PasswordTask, string | boolean>({
  perform: (task) =>
    task.kind === "hash" ? hashSync(task.password, task.parameters) : verifySync(task.hash, task.password),
  isExhausted: () => false,
});
