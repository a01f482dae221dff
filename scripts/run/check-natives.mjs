import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

// npm ends well even when the part of a package that is built for this machine could not be fetched.
// Run in a process of its own, as `node check-natives.mjs FOLDER`, because loading a broken binary may crash it.

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
  "@biomejs/biome": runs("@biomejs/biome/bin/biome"),
  typescript: runs("typescript/bin/tsc"),
};

for (const [name, probe] of Object.entries(PROBES)) {
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
