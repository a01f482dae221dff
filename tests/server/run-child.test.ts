import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";

const scripts = join(import.meta.dirname, "../../scripts");
const child = pathToFileURL(join(scripts, "run/child.mjs")).href;

/** Prints its pid, runs until SIGTERM, and exits with 7. */
const TASK = `
  process.on("SIGTERM", () => process.exit(7));
  setInterval(() => {}, 1000);
  console.log("task " + process.pid);`;

/** Runs `task` as run.mjs does, and exits with its code. */
const runner = (task: string) => `
  import { runChild } from ${JSON.stringify(child)};
  const { code } = await runChild(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(task)}], {});
  process.exitCode = code;`;

/** Starts a program whose output, and that of its descendants, can be awaited. */
function start(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

const startRunner = (task: string) => start(process.execPath, ["--input-type=module", "-e", runner(task)]);

/** The pid that the task prints. */
async function taskOf({ stdout }: ChildProcess): Promise<number> {
  for await (const text of stdout ?? []) {
    const said = /task (\d+)/.exec(String(text));
    if (said) return Number(said[1]);
  }
  throw new Error("The task never said its pid");
}

async function endOf(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the task's exit code is passed on", async () => {
  const [code] = await once(startRunner("process.exit(3)"), "exit");

  expect(code).toBe(3);
});

test("a task ended by a signal exits with 128 plus the signal's number", async () => {
  const [code] = await once(
    startRunner('process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);'),
    "exit",
  );

  expect(code).toBe(137);
});

test("a signal is passed on, and the task may finish by itself", async () => {
  const running = startRunner(TASK);
  const task = await taskOf(running);

  running.kill("SIGTERM");
  const [code] = await once(running, "exit");

  expect(code).toBe(7);
  expect(isAlive(task)).toBe(false);
});

test("a task stops when its runner is killed", async () => {
  const running = startRunner(TASK);
  const task = await taskOf(running);

  running.kill("SIGKILL");

  await endOf(task);
});

test("the channel to the runner does not keep a task alive", async () => {
  const [code] = await once(startRunner(""), "exit");

  expect(code).toBe(0);
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "a task stops when npm, above the shell, gets %s",
  async (signal) => {
    const shell = `${process.execPath} --input-type=module -e "$RUNNER"; true`;
    const npm = `require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(shell)}], { stdio: "inherit" })`;
    const running = start(process.execPath, ["-e", npm], {
      RUNNER: runner(TASK),
      npm_lifecycle_event: "start",
    });
    const task = await taskOf(running);

    running.kill(signal);

    await endOf(task);
  },
);

test("an unknown task is refused with one line that lists the known ones", async () => {
  const running = spawn(process.execPath, [join(scripts, "run.mjs"), "fly"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  running.stderr.on("data", (text) => {
    said += text;
  });

  const [code] = await once(running, "close");

  expect(code).toBe(1);
  expect(said).toMatch(/^Usage: node scripts\/run\.mjs start\|[a-z|-]+ \[arguments\]\n$/);
});

/** Says where its store is, and fails. */
const STAND_IN = "console.log(process.env.DATA_DIR); process.exit(3);";
/** Builds the server as that program. */
const BUILD = `
  import { mkdirSync, writeFileSync } from "node:fs";
  const folder = process.argv.slice(2).join("/");
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + "/main.js", ${JSON.stringify(STAND_IN)});`;
const TASKS = [
  "start",
  "create-admin",
  "seed",
  "pseudonym",
  "backup",
  "restore",
  "move-files",
  "migrate-to-postgres",
];

/** The folder of a program that has settings in .env, and these programs for its tasks. */
async function rootOfStandIns(): Promise<string> {
  const root = await tempFolder();
  for (const name of ["package.json", "package-lock.json", "scripts/run.mjs", "scripts/run"])
    await cp(join(scripts, "..", name), join(root, name), { recursive: true });
  await symlink(join(scripts, "../node_modules"), join(root, "node_modules"));
  const programs = TASKS.map((task) => [`scripts/${task}.ts`, STAND_IN]);
  const builds = [
    ["scripts/build.ts", BUILD],
    ["scripts/compress.ts", ""],
  ];
  for (const [path = "", content = ""] of [...programs, ...builds])
    await writeFile(join(root, path), content);
  await writeFile(join(root, ".env"), "DATA_DIR=elsewhere");
  return root;
}

test("the server and the operator's tasks read the settings in .env, and pass on their exit code", async () => {
  const root = await rootOfStandIns();
  const run = async (task: string) => {
    const child = spawn(process.execPath, ["scripts/run.mjs", task], { cwd: root, env: BARE_ENVIRONMENT });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
    return [task, said, code];
  };
  expect(await Promise.all(TASKS.map(run))).toEqual(TASKS.map((task) => [task, "elsewhere\n", 3]));
});
