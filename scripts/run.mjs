// node scripts/run.mjs TASK [ARGUMENTS]: prepares what TASK needs (Node 24, packages, builds) and runs it. This file and
// those in run/ are plain JavaScript that runs on Node 18 or newer before any package is installed.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compressFrontEnds, ensureFrontEnds, ensureServer } from "./run/builds.mjs";
import { runChild } from "./run/child.mjs";
import { ensurePackages } from "./run/npm.mjs";
import { chooseNode } from "./run/runtime.mjs";
import { nextChange } from "./run/watch.mjs";

/**
 * @typedef {object} Task
 * @property {string} [script] The program to run.
 * @property {string[]} [args] Arguments before those of the command line.
 * @property {string[]} [watched] Folders: after a change below them it is run again.
 * @property {boolean} [dev] Needs the devDependencies, which are for checks, tests and measurements.
 * @property {"front ends" | "all"} [built] The builds that it needs: the front ends only, or the server too.
 * @property {"before" | "meanwhile"} [compressed] When the front ends are compressed, if it matters.
 * @property {Record<string, string>} [env] Settings of its own.
 * @property {boolean} [settings] Reads the settings in .env if that file exists.
 */

/** @type {Record<string, Task>} */
const TASKS = {
  start: {
    script: "dist/server/main.js",
    built: "all",
    compressed: "meanwhile",
    settings: true,
    // As in the unit and the image: each of the server's threads would keep an arena of memory that it once used.
    env: { MALLOC_ARENA_MAX: "2" },
  },
  "start-sources": {
    script: "src/server/main.ts",
    built: "front ends",
    compressed: "meanwhile",
    settings: true,
  },
  dev: {
    script: "scripts/run.mjs",
    args: ["start-sources"],
    env: { SERVICE_WORKER: "false" },
    watched: ["src", "db"],
  },
  build: { built: "all", compressed: "before" },
  test: { script: "scripts/test.ts", dev: true, built: "all", compressed: "before" },
  check: { script: "scripts/check.ts", dev: true, built: "front ends" },
  seed: { script: "scripts/seed.ts", settings: true },
  "create-admin": { script: "scripts/create-admin.ts", settings: true },
  pseudonym: { script: "scripts/pseudonym.ts", settings: true },
  backup: { script: "scripts/backup.ts", settings: true },
  restore: { script: "scripts/restore.ts", settings: true },
  "migrate-to-postgres": { script: "scripts/migrate-to-postgres.ts", settings: true },
  "move-files": { script: "scripts/move-files.ts", settings: true },
  "load-data": { script: "tests/load/main.ts", dev: true, settings: true },
  fuzz: { script: "tests/fuzz/main.ts", dev: true, built: "all" },
  "measure-console": { script: "tests/bench/console.ts", dev: true, settings: true },
  bench: { script: "tests/bench/main.ts", dev: true, built: "all", compressed: "before" },
  chaos: { script: "tests/chaos/main.ts", dev: true, built: "all" },
  mutate: { script: "tests/mutation/main.ts", dev: true, built: "all" },
  screens: { script: "tests/setup/screens.ts", dev: true, built: "front ends" },
  "measure-phone": { script: "tests/bench/phone.ts", dev: true, built: "front ends", compressed: "before" },
  "measure-office": { script: "tests/bench/office.ts", dev: true, built: "all" },
  lighthouse: { script: "tests/bench/lighthouse.ts", dev: true, built: "front ends", compressed: "before" },
  taps: { script: "tests/bench/taps.ts", dev: true, built: "front ends" },
  clicks: { script: "tests/bench/clicks.ts", dev: true, built: "front ends" },
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const runtime = join(root, ".runtime");
const folders = { root, runtime, workshop: join(runtime, "workshop") };

try {
  const [name = "", ...args] = process.argv.slice(2);
  const task = TASKS[name];
  if (!task) throw new Error(`Usage: node scripts/run.mjs ${Object.keys(TASKS).join("|")} [arguments]`);
  // What is still being compressed ends too; the next start does the rest.
  process.exit(await perform(task, args));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * @param {Task} task
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
async function perform(task, args) {
  const node = chooseNode(folders);
  // Both at the same time, and to their end also when one fails: what they write to is removed by the next run.
  const prepared = [node.ready, ensurePackages(folders, node, { dev: task.dev ?? false })];
  await Promise.allSettled(prepared);
  await Promise.all(prepared);
  if (task.built) await ensureFrontEnds(folders, node);
  if (task.built === "all") await ensureServer(folders, node);
  const compressing = task.compressed && compressFrontEnds(folders, node);
  if (task.compressed === "before" && (await compressing) !== 0) return 1;
  if (!task.script) return 0;
  const flags = task.settings && existsSync(join(root, ".env")) ? ["--env-file=.env"] : [];
  const command = [...flags, task.script, ...(task.args ?? []), ...args];
  const options = {
    cwd: root,
    env: { NODE_COMPILE_CACHE: join(runtime, "compile-cache"), ...process.env, ...task.env },
  };
  if (!task.watched) return (await runChild(node.path, command, options)).code;
  for (;;) {
    const change = nextChange(task.watched.map((folder) => join(root, folder)));
    const { code, stopped } = await runChild(node.path, command, { ...options, end: change });
    if (stopped) return code;
    console.error("Starting again after a change …");
    await change;
  }
}
