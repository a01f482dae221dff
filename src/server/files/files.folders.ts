import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the folder, and writes each one that had to be made into its parent on the disk. */
export async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (!first) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A rename is only certain to outlive a power cut once its folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
