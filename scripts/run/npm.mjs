import { copyFileSync, existsSync } from "node:fs";
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
  await runStep(
    command,
    [...args, "ci", "--prefix", into, dev ? "--include=dev" : "--omit=dev", ...OPTIONS],
    {
      cwd: into,
      failure:
        "npm could not install the packages (its own message is above). Check the network and start again",
    },
  );
}

/**
 * The npm that runs this script, or else the one on the PATH.
 * @returns {[string, ...string[]]}
 */
export function npmCommand() {
  const cli = process.env.npm_execpath;
  return cli?.endsWith("npm-cli.js") ? [process.execPath, cli] : ["npm"];
}
