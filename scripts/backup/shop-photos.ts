import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { IN_DATA_DIR } from "#server/data-dir.ts";
import { photoFiles } from "#server/shops/shops.photo-shelf.ts";
import { photoHash } from "#shared/shop-photos.ts";
import type { ManifestEntry } from "./manifest.ts";
import { orNull, type Sources } from "./sources.ts";
import { copyWhole } from "./whole-files.ts";

/** Copies the photos that shops show. Throws when one is missing, unless no shop shows it any more. */
export async function copyShopPhotos({ live, copy, dataDir, folder }: Sources): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const hash of photosOf(copy)) {
    for (const name of Object.values(photoFiles(hash))) {
      const path = join(IN_DATA_DIR.shopPhotos, name);
      const copied = await orNull(copyWhole(join(dataDir, path), join(folder, path)));
      if (copied) entries.push({ path, ...copied });
      else if (photosOf(live).has(hash)) throw new Error(`The data folder is damaged: ${path} is missing`);
    }
  }
  return entries;
}

/** The hashes of the photos that shops show. */
function photosOf(database: Sqlite.Database): Set<string> {
  const images = database.prepare<[], string>("select image from shops").pluck().all();
  return new Set(images.map(photoHash).filter((hash) => hash !== undefined));
}
