import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Vitest's global setup of all suites: what tests write goes to memory where there is plenty, for every commit of theirs
 * waits for the disk. What must be seen on a disk of its own (a full one, a killed server) brings that along.
 */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TMPDIR?.startsWith(MEMORY) || !(await hasRoom())) return undefined;
  const folder = await mkdtemp(`${MEMORY}/print-store-tests-`);
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}

async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES;
}
