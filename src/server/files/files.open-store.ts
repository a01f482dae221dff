import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Deps } from "../context.ts";
import { IN_DATA_DIR } from "../data-dir.ts";
import { createDiskStore } from "./files.disk-store.ts";
import { createSharedNotes } from "./files.shared-notes.ts";
import type { FileStore } from "./files.store.ts";

/**
 * Opens the home of the files that the settings name. UploadThing's code is only loaded where it is needed. Throws an Error
 * of one line where files are to be at UploadThing and some still lie on this disk.
 */
export async function openFileStore(
  { dataDir, uploadThing }: Pick<Config, "dataDir" | "uploadThing">,
  deps: Pick<Deps, "db" | "now" | "log">,
): Promise<FileStore> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  if (!uploadThing) return createDiskStore(folder);
  if (await holdsFiles(join(folder, "kept")))
    throw new Error(`UPLOADTHING_TOKEN: files still lie in ${join(folder, "kept")}. Run npm run move-files`);
  const { createUploadThingStore } = await import("./uploadthing.store.ts");
  return createUploadThingStore(folder, uploadThing, { notes: createSharedNotes(deps), log: deps.log });
}

async function holdsFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isFile());
}
