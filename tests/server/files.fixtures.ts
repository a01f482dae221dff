import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tempFolder } from "../setup/temporary.ts";

const run = promisify(execFile);
const STAGE = fileURLToPath(new URL("./stage-eight-megabytes.ts", import.meta.url));

interface Outcome {
  /** The error code with which 8 MB failed. */
  code: string | null;
  /** Files left behind. */
  left: string[];
}

/** Stages 8 MB in a process that may not write files over 2 MB. */
export async function fillFileSize(): Promise<Outcome> {
  return stageUnder("trap '' XFSZ; ulimit -f 4096");
}

/** Stages 8 MB on a 2 MB disk; null if no such disk can be created. */
export async function fillDisk(): Promise<Outcome | null> {
  const mount = 'mount -t tmpfs -o size=2m tmpfs "$1"';
  const probe = await run("unshare", [...OWN_MOUNTS, "sh", "-c", mount, "sh", await tempFolder()]).catch(
    () => null,
  );
  return probe && stageUnder(mount, ["unshare", ...OWN_MOUNTS]);
}

const OWN_MOUNTS = ["--map-root-user", "--mount"];

/** Runs the staging process in a shell after `preparation`, which gets the folder as $1. */
async function stageUnder(preparation: string, prefix: string[] = []): Promise<Outcome> {
  const shell = ["sh", "-c", `${preparation} && exec "$2" "$3" "$1"`, "sh"];
  const [command = "", ...args] = [...prefix, ...shell, await tempFolder(), process.execPath, STAGE];
  const { stdout } = await run(command, args);
  return JSON.parse(stdout);
}
