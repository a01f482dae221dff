import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Program, startProgram } from "../setup/spawned-server.ts";

const root = resolve(import.meta.dirname, "../..");

/** A program that listens at `url`. */
export interface Listener extends Pick<Program, "child" | "stop"> {
  url: string;
}

/** The environment for the product and its limits: production mode, with the compile cache. */
export function productionEnv(env: Record<string, string> = {}): Record<string, string> {
  const cache = process.env.NODE_COMPILE_CACHE ?? join(root, ".runtime/compile-cache");
  return { PATH: process.env.PATH ?? "", NODE_ENV: "production", NODE_COMPILE_CACHE: cache, ...env };
}

/** Starts a script that listens; its log goes to the file `log`. */
export async function startListener(
  script: string,
  { args = [], env = {}, log }: { args?: string[]; env?: Record<string, string>; log: string },
): Promise<Listener> {
  const program = startProgram([script, ...args], productionEnv(env), { root, log });
  const url = await program.opened;
  if (!url) throw new Error(`${script} did not start: ${await readFile(log, "utf8")}`);
  return { ...program, url };
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
  const options = { cwd: root, env: productionEnv() };
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], options);
  return JSON.parse(stdout) as T;
}
