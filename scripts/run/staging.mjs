import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const STAMP = ".stamp";
const MAX_ATTEMPTS = 5;

/**
 * Makes sure that `target` is a folder built for `stamp`. A stale or missing one is built to the side and renamed into
 * place with its stamp inside, so that a process killed at any moment, or two at once, never leave half a folder.
 *
 * @param {object} folder
 * @param {string} folder.workshop Folder for unfinished work, on the same disk as `target`.
 * @param {string} folder.target
 * @param {string} folder.stamp Whatever decides what the folder holds; usually a hash.
 * @param {string[]} [folder.supersets] Stamps of folders that hold more: one of them is kept as it is.
 * @param {(staged: string) => Promise<string>} folder.build Fills the empty folder `staged` and answers which folder
 *   is to become `target`: `staged` or one in it.
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
 * A new folder whose name tells which process works in it.
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
      // Another run may just have put a good one into place, which may hold more than this one.
      if (best === built && isGood(aside)) best = aside;
      renameSync(best, target);
      break;
    } catch (error) {
      // Another run may have moved its own into place between the two.
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
  remove(old);
}

/**
 * Removes what processes that are gone have left unfinished. Done last of all: an npm whose run was killed a moment
 * ago would take a folder that vanishes under it for damage to its cache, which other runs share.
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
 * What cannot be removed now, say because a killed run's npm is still writing there, is swept by a later run.
 * @param {string} path
 */
function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
}
