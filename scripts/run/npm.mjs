import { accessSync, constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runStep } from "./child.mjs";

const MANIFESTS = ["package.json", "package-lock.json", ".npmrc"];
const OPTIONS = [
  "--ignore-scripts",
  "--include=optional",
  "--prefer-offline",
  "--fetch-retries=1",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];

/**
 * Runs `npm ci` in the empty folder `into`, with the package and lock files of `from`.
 * @param {string} from
 * @param {string} into
 * @param {{ dev: boolean }} options Whether the devDependencies are installed too.
 */
export async function npmCi(from, into, { dev }) {
  for (const name of MANIFESTS) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(into, name));
  }
  const [command, ...args] = npmCommand();
  const spareCache = isCacheWritable() ? null : join(into, ".npm-cache");
  const cache = spareCache ? ["--cache", spareCache] : [];
  await runStep(
    command,
    [...args, "ci", "--prefix", into, dev ? "--include=dev" : "--omit=dev", ...cache, ...OPTIONS],
    {
      cwd: into,
      failure:
        "npm could not install the packages (its own message is above). Check the network and start again",
    },
  );
  if (spareCache) rmSync(spareCache, { recursive: true, force: true });
}

/** Whether npm can write to its cache, which it cannot in a read-only home. npm tells the scripts that it runs where it is. */
function isCacheWritable() {
  const cache = process.env.npm_config_cache ?? join(homedir(), ".npm");
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The npm that runs this script, or else the one on the PATH.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith("npm-cli.js") ? [process.execPath, cli] : ["npm"];
}
