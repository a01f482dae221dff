import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { npmCommand } from "../../scripts/run/npm.mjs";

/** What the Dockerfile says about the image, mostly in its last stage. */
interface ImagePlan {
  /** Packages that are uninstalled after the build. */
  uninstalled: string[];
  /** Copied files and folders, of the repository or of earlier stages. */
  contents: string[];
  env: Record<string, string>;
  /** The command of Docker's health check. */
  healthCheck: string[];
  command: string[];
}

export function readDockerfile(): ImagePlan {
  const text = readFileSync("Dockerfile", "utf8").replaceAll(/\\\n/g, " ");
  const stage = text.slice(text.lastIndexOf("\nFROM ")).split("\n");
  const argumentsOf = (instruction: string) =>
    stage
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));
  const [health = ""] = argumentsOf("HEALTHCHECK");
  const [command = ""] = argumentsOf("CMD");
  const [, uninstalled = ""] = /npm uninstall ([^&\n]+)/.exec(text) ?? [];
  return {
    uninstalled: uninstalled
      .trim()
      .split(/ +/)
      .filter((word) => !word.startsWith("--")),
    contents: argumentsOf("COPY").flatMap((line) => {
      const words = line.split(" ").filter((word) => !word.startsWith("--"));
      return words.slice(0, -1).map((word) => word.replace(/^\/app\//, ""));
    }),
    env: Object.fromEntries(
      argumentsOf("ENV").flatMap((line) =>
        line.split(" ").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]),
      ),
    ),
    healthCheck: JSON.parse(health.slice(health.indexOf("["))),
    command: JSON.parse(command),
  };
}

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
