import { accessSync, constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runStep } from "./child.mjs";
import { ensureFolder, hashFiles } from "./staging.mjs";

/** @typedef {{ path: string, version: string, ready: Promise<void> }} Node Wait for `ready` before it is run. */

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

/**
 * Installs the dependencies of the lock file into node_modules, and with `dev` the devDependencies too, unless they are
 * there for this machine and this version of Node. Installed devDependencies stay. Node may still be on its way.
 * @param {{ root: string, workshop: string }} folders
 * @param {Node} node
 * @param {{ dev: boolean }} options
 */
export async function ensurePackages({ root, workshop }, node, { dev }) {
  const machine = [process.platform, process.arch, node.version];
  const files = ["package.json", "package-lock.json"];
  const withDev = hashFiles(root, files, [...machine, "dependencies and devDependencies"]);
  await ensureFolder({
    workshop,
    target: join(root, "node_modules"),
    stamp: dev ? withDev : hashFiles(root, files, [...machine, "dependencies"]),
    supersets: [withDev],
    build: async (staged) => {
      console.error(dev ? "Installing packages, with those for development …" : "Installing packages …");
      await npmCi(root, staged, { dev });
      await node.ready;
      const probe = [join(root, "scripts/run/check-natives.mjs"), staged, ...(dev ? ["--dev"] : [])];
      await runStep(node.path, probe, {
        cwd: staged,
        failure: "Some packages did not install completely. Check the network and start again",
      });
      return join(staged, "node_modules");
    },
  });
}
