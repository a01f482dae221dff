import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#db/open.ts";

/**
 * Deletes the files of a store on the disk that are at UploadThing now, or were deleted before. What the database does not
 * know is put into `unrecorded/`, for somebody to look at.
 */
export async function clearDisk(db: Db, folder: string, tell: (line: string) => void): Promise<void> {
  const kept = join(folder, "kept");
  const aside = join(folder, "unrecorded");
  let strangers = 0;
  const entries = await readdir(kept, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || (await isKnown(db, entry.name))) continue;
    await mkdir(aside, { recursive: true });
    await rename(join(entry.parentPath, entry.name), join(aside, entry.name));
    strangers++;
  }
  await rm(kept, { recursive: true, force: true });
  if (strangers > 0) tell(`${strangers} files that the database does not know are in ${aside}`);
}

/** Whether the database knows a file of this key, also a deleted one. */
export async function isKnown(db: Db, key: string): Promise<boolean> {
  const upload = await db.selectFrom("files").select("id").where("storage_key", "=", key).executeTakeFirst();
  if (upload) return true;
  return (
    (await db.selectFrom("reprint_photos").select("id").where("id", "=", key).executeTakeFirst()) !==
    undefined
  );
}
