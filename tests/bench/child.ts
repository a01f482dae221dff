import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = resolve(import.meta.dirname, "../..");

/** A Node process that listens at `url`. */
export interface Listener {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** The environment for the product and its limits: production mode, with the compile cache. */
export function productionEnv(env: Record<string, string> = {}): Record<string, string> {
  const cache = process.env.NODE_COMPILE_CACHE ?? join(root, ".runtime/compile-cache");
  return { PATH: process.env.PATH ?? "", NODE_ENV: "production", NODE_COMPILE_CACHE: cache, ...env };
}

/**
 * Starts a script that prints `open at` with its address on its first lines; its log goes to the file `log`. Throws if
 * it ends before.
 */
export async function startListener(
  script: string,
  { args = [], env = {}, log }: { args?: string[]; env?: Record<string, string>; log: string },
): Promise<Listener> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: productionEnv(env),
    stdio: ["ignore", "pipe", openSync(log, "a")],
  });
  const stop = () => stopChild(child);
  const stdout = child.stdout as NodeJS.ReadableStream;
  for await (const line of createInterface({ input: stdout })) {
    const url = /open at (\S+)/.exec(line)?.[1];
    if (!url) continue;
    stdout.resume();
    return { url, child, stop };
  }
  throw new Error(`${script} did not start: ${await readFile(log, "utf8")}`);
}

/** Runs `use` against a limit's server and stops the server afterwards. */
export async function withLimit<T>(
  script: string,
  options: { args?: string[]; log: string },
  use: (url: string) => Promise<T>,
): Promise<T> {
  const limit = await startListener(`tests/bench/limits/${script}`, options);
  try {
    return await use(limit.url);
  } finally {
    await limit.stop();
  }
}

/** Runs a script to its end and returns the JSON that it printed. */
export async function runToEnd<T>(script: string, args: string[]): Promise<T> {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: productionEnv(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return JSON.parse(output) as T;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
