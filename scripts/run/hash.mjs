import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Hash over the names and contents of files, whole folders included, and over `facts`. What is missing counts as empty.
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
 * Generated files follow from the others, and are written during the very build that the hash is for.
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
