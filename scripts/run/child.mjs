import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_CHECK_MS = 200;
const PRELOAD = fileURLToPath(new URL("stop-with-runner.cjs", import.meta.url));

/**
 * Runs a Node program to its end and passes signals on to it. npm passes SIGTERM to its shell only, and nothing when it is
 * killed, so the program is also stopped when npm, the shell or this process is gone.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdio?: ["inherit" | "ignore", "inherit" | 2, "inherit"], end?: Promise<void> }} options
 *   the program is also stopped once `end` resolves
 * @returns {Promise<{ code: number, stopped: boolean }>} exit code, and whether it was asked to stop
 */
export function runChild(
  command,
  args,
  { cwd, env = process.env, stdio = ["inherit", "inherit", "inherit"], end },
) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: withPreload(env), stdio: [...stdio, "ipc"] });
    let stopped = false;
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped = true;
      // A terminal sends Ctrl-C to the child too; a second SIGINT would make it stop at once.
      if (!(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    void end?.then(() => child.kill());
    const initial = starters();
    const watch = setInterval(() => {
      if (starters() !== initial && !stopped) stop("SIGTERM");
    }, PARENT_CHECK_MS);
    const release = () => {
      clearInterval(watch);
      for (const signal of SIGNALS) process.off(signal, stop);
    };
    child.once("error", (error) => {
      release();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      release();
      resolve({ code: code ?? 128 + constants.signals[signal ?? "SIGKILL"], stopped });
    });
  });
}

/** @param {NodeJS.ProcessEnv} env */
function withPreload(env) {
  const options = `${env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(PRELOAD)}`;
  return { ...env, NODE_OPTIONS: options.trim(), PRINT_STORE_RUNNER: "yes" };
}

/** Identifies the parent process and, if that is npm's shell, npm too. */
function starters() {
  const parent = String(process.ppid);
  if (!process.env.npm_lifecycle_event) return parent;
  try {
    const [, command, grandparent] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, "utf8")) ?? [];
    return command?.endsWith("sh") ? `${parent} of ${grandparent}` : parent;
  } catch {
    return parent;
  }
}

/**
 * Runs one step of the preparation, with its output on stderr. Throws `failure` if the program fails, and ends this
 * process if it was asked to stop.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, failure: string }} options
 */
export async function runStep(command, args, { cwd, env, failure }) {
  const { code, stopped } = await runChild(command, args, { cwd, env, stdio: ["ignore", 2, "inherit"] });
  if (stopped) process.exit(code || 1);
  if (code !== 0) throw new Error(failure);
}
