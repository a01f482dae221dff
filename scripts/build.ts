import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createBuilder, type Plugin } from "vite";

// node scripts/build.ts [FOLDER]: builds every front end (each folder of src with a vite.config.ts) into FOLDER, which
// takes the place of dist. `npm run build` goes through run.mjs, which renames it into place when it is whole.

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const output = resolve(process.argv[2] ?? dist);

try {
  for (const configFile of frontEndConfigs()) {
    const builder = await createBuilder({ configFile, logLevel: "warn", plugins: [outputTo(output)] });
    await builder.buildApp();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function frontEndConfigs(): string[] {
  return readdirSync(join(root, "src"))
    .map((name) => join(root, "src", name, "vite.config.ts"))
    .filter((path) => existsSync(path));
}

/** Sends to `folder` what a front end's own config sends to dist. */
function outputTo(folder: string): Plugin {
  return {
    name: "print-store:output",
    configEnvironment(_name, { build }) {
      if (!build?.outDir) return null;
      return { build: { outDir: join(folder, relative(dist, resolve(root, build.outDir))) } };
    },
  };
}
