import { join } from "node:path";
import type { Config } from "../config.ts";
import { IN_DATA_DIR } from "../data-dir.ts";
import { createDiskStore } from "./files.disk-store.ts";
import type { FileStore } from "./files.store.ts";

/** Opens the home of the files that the settings name. UploadThing's code is only loaded where it is needed. */
export async function openFileStore({
  dataDir,
  uploadThing,
}: Pick<Config, "dataDir" | "uploadThing">): Promise<FileStore> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  if (!uploadThing) return createDiskStore(folder);
  const { createUploadThingStore } = await import("./uploadthing.store.ts");
  return createUploadThingStore(folder, uploadThing);
}
