import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { freemem } from "node:os";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 6 * 1024 ** 3;

/**
 * Vitest's global setup for all suites: test data goes to memory if there is enough, because each commit would wait for
 * the disk. Tests that need a real disk (a full one, a killed server) use their own.
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
