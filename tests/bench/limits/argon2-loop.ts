import { availableParallelism } from "node:os";
import { verify } from "@node-rs/argon2";

// The limit of logins: only checks of one password against its hash (the arguments after the number of seconds), as
// many at the same time as there are cores.

const [seconds = "1", passwordHash = "", password = ""] = process.argv.slice(2);
const startedAt = performance.now();
const isOver = () => performance.now() - startedAt > Number(seconds) * 1000;

let checked = 0;
async function check(): Promise<void> {
  while (!isOver()) {
    if (!(await verify(passwordHash, password))) throw new Error("The password is not the hash's");
    checked++;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, check));
console.log(JSON.stringify({ perSecond: (checked * 1000) / (performance.now() - startedAt) }));
