import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { npmCommand } from "./run/npm.mjs";
import type { SuiteResult } from "./test-result.ts";

const root = resolve(import.meta.dirname, "..");
const node = process.execPath;

/** One checker: several would check the same types several times, and compete with the other checks. */
const TYPES = [node, "node_modules/typescript/bin/tsc", "--noEmit", "--checkers", "1"];

/** The static checks: each is one command that passes if it exits with 0. */
const CHECKS: Record<string, string[]> = {
  types: TYPES,
  // Checked separately, because the router's types are global and each front end has its own routes.
  "types of the console": [...TYPES, "-p", "src/admin"],
  // The global names of workers are others than those of pages.
  "types of the service worker": [...TYPES, "-p", "src/client/service-worker"],
  lint: [node, "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"],
  boundaries: [node, "scripts/check-boundaries.ts"],
  "lock file": [...npmCommand(), "ci", "--dry-run", "--ignore-scripts", "--offline", "--loglevel=error"],
};

/** Runs all checks in parallel and prints each result, with the output of those that failed. */
export function runChecks(): Promise<SuiteResult[]> {
  return Promise.all(Object.entries(CHECKS).map(([name, command]) => runCheck(name, command)));
}

async function runCheck(name: string, command: string[]): Promise<SuiteResult> {
  const startedAt = performance.now();
  const { ok, output } = await run(command);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(ok ? ` ✓ ${name} ${seconds.toFixed(1)} s` : ` ✗ ${name}\n${output}`);
  return { name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, seconds };
}

function run([program = "", ...args]: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ ok: false, output: error.message }));
    child.once("close", (code) => resolve({ ok: code === 0, output }));
  });
}
