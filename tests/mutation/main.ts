import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { z } from "zod";
import { count, readOptions } from "../../scripts/arguments.ts";
import { Campaign } from "./campaign.ts";
import { Memory } from "./memory.ts";
import { instrument, type Mutant } from "./mutants.ts";
import {
  findAccepted,
  judge,
  killedShare,
  LEAST_KILLED,
  outdated,
  printReport,
  readAccepted,
} from "./report.ts";
import { Sandbox } from "./sandbox.ts";
import { TestSession } from "./session.ts";

// npm run mutate: puts small faults (mutants) into the named sources, one at a time, and runs the tests that cover them, to see
// whether one fails. Of the tests only those of the named projects are asked, and with --tests those with PART in their path.
// Mutants of accepted.json are only run with --accepted. Results are kept in .mutation/ and used again. The exit code is 1 if
// fewer than 95 % are noticed.

/** Projects of vitest.config.ts that run within one process and need no other database. */
const PROJECTS = ["unit", "db", "server", "rest"] as const;
/** Generated. */
const LEFT_OUT = /\.gen\.ts$/;
const SAY_EVERY_MS = 15_000;
const REPORT = ".mutation/report.json";

const USAGE =
  "Usage: npm run mutate -- FOLDER|FILE… [--changed [--base main]] [--sample N [--seed N]] [--project unit,db] [--tests PART,PART] [--spare-seconds N] [--accepted]";
const parts = z.string().transform((text) => text.split(","));
const { options, paths: named } = readOptions(
  USAGE,
  {
    changed: z.boolean().default(false),
    accepted: z.boolean().default(false),
    base: z.string().default("main"),
    sample: count(1).optional(),
    seed: count(0).default(() => randomInt(2 ** 31)),
    project: parts
      .pipe(z.array(z.enum(PROJECTS, `takes some of ${PROJECTS.join()}`)))
      .prefault(PROJECTS.join()),
    tests: parts.prefault(""),
    "spare-seconds": count(1).default(8),
  },
  { paths: true },
);

const root = process.cwd();
try {
  process.exitCode = await mutate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

async function mutate(): Promise<number> {
  const paths = sources();
  if (paths.length === 0) throw new Error(USAGE);
  const { mutants, ignored, contents } = await instrument(root, paths);
  const chosen = options.sample === undefined ? mutants : draw(mutants, options.sample);
  const left = [...ignored].map(([reason, count]) => `${count} × ${reason}`).join(", ");
  console.log(`${mutants.length} mutants in ${paths.length} files; left out: ${left || "none"}`);

  const sandbox = new Sandbox(root);
  const removeSandbox = () => sandbox.remove();
  process.on("exit", removeSandbox);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

  const memory = new Memory(root, sandbox.root);
  for (const path of paths) memory.hashOf(path);
  for (const [path, content] of contents) sandbox.write(path, content);

  process.chdir(sandbox.root);
  const session = await TestSession.open(sandbox.root, options.project);
  const tests = session.files.filter(({ path }) => options.tests.some((part) => path.includes(part)));
  const campaign = new Campaign(session, memory, { tests, spareMs: options["spare-seconds"] * 1000 });
  const say = progress();
  await campaign.measure(mutants, say);
  for (const [path, reason] of campaign.broken)
    console.log(`not used, fails without a mutant: ${path} (${reason})`);
  const accepted = readAccepted(root);
  await campaign.run(
    options.accepted ? chosen : chosen.filter((mutant) => !findAccepted(accepted, mutant)),
    say,
  );
  await session.close();
  process.chdir(root);

  const judged = judge(chosen, { campaign, memory, accepted });
  printReport(judged);
  for (const { file, code, change } of options.sample === undefined ? outdated(accepted, judged) : []) {
    console.log(`accepted without need, ${file}: ${code}  ${change}`);
  }
  writeFileSync(join(root, REPORT), JSON.stringify({ projects: options.project, mutants: judged }, null, 1));
  return killedShare(judged) >= LEAST_KILLED ? 0 : 1;
}

/** The source files asked for. Screens (.tsx) have their tests in a browser, which is not started for each mutant. */
function sources(): string[] {
  const roots = named.length > 0 ? named : options.changed ? ["src", "db"] : [];
  const missing = roots.find((path) => !existsSync(path));
  if (missing) throw new Error(`There is no ${missing}`);
  const found = roots.flatMap((path) => (statSync(path).isFile() ? [path] : globSync(`${path}/**/*.ts`)));
  const all = [...new Set(found)].filter((path) => !LEFT_OUT.test(path)).sort();
  if (!options.changed) return all;
  const changed = new Set(changedFiles());
  return all.filter((path) => changed.has(path));
}

function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim().split("\n");
  const [since = ""] = git("merge-base", "HEAD", options.base);
  return [...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")];
}

/** As many of them at random, in their order; the printed seed draws the same again. */
function draw(mutants: Mutant[], count: number): Mutant[] {
  console.log(`Seed ${options.seed}`);
  const generator = xoroshiro128plus(options.seed);
  const left = mutants.map((_, index) => index);
  const drawn = new Set<number>();
  while (drawn.size < count && left.length > 0) {
    const [index = 0] = left.splice(uniformInt(generator, 0, left.length - 1), 1);
    drawn.add(index);
  }
  return mutants.filter((_, index) => drawn.has(index));
}

function progress(): (text: string) => void {
  let saidAt = performance.now();
  return (text) => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    console.log(text);
  };
}
