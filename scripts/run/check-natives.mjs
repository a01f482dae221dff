import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

// node check-natives.mjs FOLDER [--dev]: tries each package that has a part built for this machine, because npm reports
// success even when it could not fetch that part. A process of its own, because loading a broken binary may crash it.

const folder = resolve(process.argv[2] ?? ".");
const require = createRequire(join(folder, "package.json"));

/** @param {string} bin Path of a command below node_modules. */
const runs = (bin) => () => {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, "node_modules", bin), "--version"]);
  if (status !== 0) throw new Error(String(stderr));
};

/** @type {Record<string, () => unknown>} */
const PROBES = {
  "better-sqlite3": () => new (require("better-sqlite3"))(":memory:").close(),
  "@node-rs/argon2": () => require("@node-rs/argon2").hashSync("probe"),
  sharp: () => require("sharp"),
  rolldown: () => require("rolldown"),
  lightningcss: () => require("lightningcss"),
};

/** @type {Record<string, () => unknown>} */
const DEV_PROBES = {
  "@biomejs/biome": runs("@biomejs/biome/bin/biome"),
  typescript: runs("typescript/bin/tsc"),
};

const probes = process.argv[3] === "--dev" ? { ...PROBES, ...DEV_PROBES } : PROBES;
for (const [name, probe] of Object.entries(probes)) {
  try {
    probe();
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error)
      .trim()
      .split("\n");
    console.error(`${name} does not work on ${process.platform}-${process.arch}: ${reason}`);
    process.exitCode = 1;
  }
}
