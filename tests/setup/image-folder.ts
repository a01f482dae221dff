import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { npmCommand } from "../../scripts/run/npm.mjs";
import type { ImagePlan } from "./dockerfile.ts";

/** Copies the image's contents into `folder`, so that a program there finds nothing else of the repository. */
export async function copyImageContents(plan: ImagePlan, folder: string): Promise<void> {
  for (const path of plan.contents) {
    if (path === "node_modules") await linkPackages(plan, folder);
    else await cp(path, join(folder, path), { recursive: true });
  }
}

/** Links the packages that remain after the `npm ci` and `npm uninstall` of the Dockerfile. */
async function linkPackages({ uninstalled }: ImagePlan, folder: string): Promise<void> {
  for (const [path, { dev }] of Object.entries(await lockFileWithout(uninstalled))) {
    const isNested = path.lastIndexOf("node_modules/") !== 0;
    if (isNested || dev) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(resolve(path), join(folder, path));
  }
}

/** The packages of the lock file as npm writes it after `npm uninstall`. */
async function lockFileWithout(names: string[]): Promise<Record<string, { dev?: boolean }>> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-"));
  try {
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) await cp(name, join(folder, name));
    const [npm, ...args] = npmCommand();
    const options = ["--package-lock-only", "--omit=dev", "--ignore-scripts", "--offline"];
    await promisify(execFile)(npm, [...args, "uninstall", ...options, ...names], { cwd: folder });
    return JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8")).packages;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
