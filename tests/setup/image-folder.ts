import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ImagePlan } from "./dockerfile.ts";

/** Copies the image's contents into `folder`, so that a program there finds nothing else of the repository. */
export async function layOutImage({ contents }: ImagePlan, folder: string): Promise<void> {
  for (const path of contents) {
    if (path === "node_modules") await linkPackages(join(folder, path));
    else await cp(path, join(folder, path), { recursive: true });
  }
}

/** The packages that `npm ci --omit=dev` would install, according to the lock file. */
async function linkPackages(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
  for (const [path, { dev, devOptional }] of Object.entries<{ dev?: boolean; devOptional?: boolean }>(
    packages,
  )) {
    const [, name, nested] = path.split("node_modules/");
    if (!name || nested || dev || devOptional) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await symlink(resolve("node_modules", name), join(folder, name));
  }
}
