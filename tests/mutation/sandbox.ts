import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a checkout has beside its sources. */
const LINKED = ["node_modules", "dist", ".runtime"];

/** A copy of the checkout where sources may be replaced; the checkout itself is never changed. */
export class Sandbox {
  readonly root: string;

  constructor(checkout: string) {
    const parent = join(checkout, ".mutation");
    mkdirSync(parent, { recursive: true });
    this.root = mkdtempSync(join(parent, "sandbox-"));
    for (const path of filesOf(checkout)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      cpSync(join(checkout, path), join(this.root, path), { verbatimSymlinks: true });
    }
    for (const name of LINKED) {
      if (existsSync(join(checkout, name))) symlinkSync(join(checkout, name), join(this.root, name));
    }
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Tracked and new files, as they are now. */
function filesOf(checkout: string): string[] {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const paths = execFileSync("git", list, { cwd: checkout, encoding: "utf8", maxBuffer: 1 << 26 }).split(
    "\0",
  );
  const isCopied = (path: string) =>
    path !== "" && !LINKED.includes(path) && existsSync(join(checkout, path));
  return [...new Set(paths)].filter(isCopied);
}
