import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

const STAMP = ".stamp";
const MAX_ATTEMPTS = 5;

/**
 * Builds the folder `target` unless it has the stamp `stamp`. It is built in a temporary folder and renamed into place with
 * its stamp inside, so that a killed process, or two at once, never leave an incomplete folder.
 *
 * @param {object} folder
 * @param {string} folder.workshop Folder for temporary folders, on the same disk as `target`.
 * @param {string} folder.target
 * @param {string} folder.stamp Identifies the contents; usually a hash of the inputs.
 * @param {string[]} [folder.supersets] Stamps of contents that include these: such a folder is kept.
 * @param {(staged: string) => Promise<string>} folder.build Fills the empty folder `staged`, and returns the folder that
 *   becomes `target`: `staged` or one in it.
 */
export async function ensureFolder({ workshop, target, stamp, supersets = [], build }) {
  /** @param {string} folder */
  const isGood = (folder) => [stamp, ...supersets].includes(readStamp(folder) ?? "");
  if (isGood(target)) return;
  const staged = openStaged(workshop, basename(target));
  try {
    const built = await build(staged);
    writeFileSync(join(built, STAMP), stamp);
    if (!isGood(target)) putInPlace(built, target, workshop, isGood);
  } finally {
    remove(staged);
    sweep(workshop);
  }
}

/** @param {string} folder */
function readStamp(folder) {
  const path = join(folder, STAMP);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/**
 * Creates a temporary folder whose name begins with the id of this process.
 * @param {string} workshop
 * @param {string} name
 */
function openStaged(workshop, name) {
  const path = join(workshop, `${process.pid}-${name}-${randomBytes(4).toString("hex")}`);
  mkdirSync(path, { recursive: true });
  return path;
}

/**
 * @param {string} built
 * @param {string} target
 * @param {string} workshop
 * @param {(folder: string) => boolean} isGood
 */
function putInPlace(built, target, workshop, isGood) {
  const old = openStaged(workshop, "old");
  let best = built;
  for (let attempt = 1; ; attempt++) {
    const aside = join(old, String(attempt));
    try {
      if (existsSync(target)) renameSync(target, aside);
      // Another run may have put a good folder here in the meantime, with more in it than in this one.
      if (best === built && isGood(aside)) best = aside;
      renameSync(best, target);
      break;
    } catch (error) {
      // Another run may have renamed its folder into place between these two renames.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
  remove(old);
}

/**
 * Removes the temporary folders of processes that no longer run. Called last: the npm of a run that was just killed may
 * still write there, and would blame a vanished folder on its cache, which other runs share.
 * @param {string} workshop
 */
function sweep(workshop) {
  if (!existsSync(workshop)) return;
  for (const name of readdirSync(workshop)) {
    if (!isAlive(Number.parseInt(name, 10))) remove(join(workshop, name));
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Ignores failures, for example while the npm of a killed run still writes there: a later run removes the rest.
 * @param {string} path
 */
function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}

/**
 * A stamp: hash of the names and contents of files and folders, and of `facts`. Missing files are skipped.
 * @param {string} root
 * @param {string[]} paths Relative to `root`.
 * @param {string[]} [facts]
 */
export function hashFiles(root, paths, facts = []) {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const path of paths.flatMap((path) => filesUnder(root, path))) {
    const content = readFileSync(join(root, path));
    hash.update(JSON.stringify([path, content.length])).update(content);
  }
  return hash.digest("hex");
}

/**
 * Leaves generated files out: they depend on the others only, and the build that the hash is for writes them.
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(root, path) {
  const full = join(root, path);
  if (path.endsWith(".gen.ts") || !existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesUnder(root, join(path, name)));
}
