import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Hash of the names and contents of files and folders, and of `facts`. Missing files are skipped.
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
