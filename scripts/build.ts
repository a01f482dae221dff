import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createBuilder, type Plugin } from "vite";

// node scripts/build.ts [FOLDER [PART …]]: builds these folders of src, or all that have a vite.config.ts, and then
// compresses them, into FOLDER instead of dist. run.mjs builds parts into a temporary folder, renames it to dist when the
// build has succeeded, and compresses later.

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const [folder = dist, ...parts] = process.argv.slice(2);

try {
  for (const part of parts.length > 0 ? parts : allParts()) {
    const builder = await createBuilder({
      configFile: configOf(part),
      logLevel: "warn",
      plugins: [outputTo(resolve(folder))],
    });
    await builder.buildApp();
  }
  // It takes the same FOLDER from the command line.
  if (parts.length === 0) await import("./compress.ts");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function allParts(): string[] {
  return readdirSync(join(root, "src")).filter((part) => existsSync(configOf(part)));
}

function configOf(part: string): string {
  return join(root, "src", part, "vite.config.ts");
}

/** Writes to `folder` what a part's own config would write to dist, without advice on how long its plugins took. */
function outputTo(folder: string): Plugin {
  return {
    name: "print-store:output",
    configEnvironment(_name, { build }) {
      if (!build?.outDir) return null;
      return {
        build: {
          outDir: join(folder, relative(dist, resolve(root, build.outDir))),
          rolldownOptions: { checks: { bundlerTimings: false } },
        },
      };
    },
  };
}
