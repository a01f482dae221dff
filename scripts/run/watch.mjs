import { readdirSync, watch } from "node:fs";
import { join } from "node:path";

/** An editor and git write several files for one change. */
const QUIET_MS = 200;

/**
 * Resolves after the next change below these folders. Each folder is watched by itself: where Node watches them recursively on
 * Linux, it no longer sees what is written into a file that was replaced, as git does.
 * @param {string[]} roots
 * @returns {Promise<void>}
 */
export function nextChange(roots) {
  return new Promise((resolve) => {
    const watchers = roots.flatMap(foldersOf).map((folder) => watch(folder, changed));
    /** @type {NodeJS.Timeout | undefined} */
    let quiet;
    function changed() {
      clearTimeout(quiet);
      quiet = setTimeout(() => {
        for (const watcher of watchers) watcher.close();
        resolve();
      }, QUIET_MS);
    }
  });
}

/**
 * @param {string} root
 * @returns {string[]} it and all folders below it
 */
function foldersOf(root) {
  const inner = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [root, ...inner.flatMap(({ name }) => foldersOf(join(root, name)))];
}
