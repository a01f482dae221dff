import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkBoundaries } from "./boundaries/check.ts";

// Fails if a file breaks a rule of boundaries/rules.ts.

const root = resolve(import.meta.dirname, "..");
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const paths = listed
  .split("\n")
  .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.includes(".gen.") && existsSync(join(root, path)));

const violations = checkBoundaries(root, paths);
for (const { path, line, rule } of violations) console.error(`${path}:${line} ${rule}`);
console.log(`${paths.length} files, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
