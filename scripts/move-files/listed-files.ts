import { join } from "node:path";
import type { Db } from "#db/open.ts";
import { IN_DATA_DIR } from "#server/data-dir.ts";
import { keptPath } from "#server/files/files.disk-store.ts";
import { photoFiles } from "#server/shops/shops.photo-shelf.ts";
import { photoHash } from "#shared/shop-photos.ts";

/** A file that the store counts on. */
export interface ListedFile {
  /** Key in the file store. */
  key: string;
  /** Where it is on the disk. */
  path: string;
  /** SHA-256 in hex; null where it was not noted. */
  sha256: string | null;
  /** For the photo of a shop, the path under which it is served. */
  image?: string;
}

/** All files that are to be moved: uploads, photos of printing errors and photos that shops show. */
export async function listFiles(db: Db, dataDir: string): Promise<ListedFile[]> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  const uploads = await db
    .selectFrom("files")
    .select(["storage_key as key", "sha256"])
    .where("deleted_at", "is", null)
    .execute();
  const reportPhotos = await db
    .selectFrom("reprint_photos")
    .select("id as key")
    .where("deleted_at", "is", null)
    .execute();
  const shops = await db.selectFrom("shops").select("image").distinct().execute();
  return [
    ...uploads.map(({ key, sha256 }) => ({ key, path: keptPath(folder, key), sha256 })),
    ...reportPhotos.map(({ key }) => ({ key, path: keptPath(folder, key), sha256: null })),
    ...shops.flatMap(({ image }) => shopPhoto(dataDir, image)),
  ];
}

/** None for a picture that is not kept by the store. */
function shopPhoto(dataDir: string, image: string): ListedFile[] {
  const hash = photoHash(image);
  if (!hash) return [];
  const path = join(dataDir, IN_DATA_DIR.shopPhotos, photoFiles(hash).large);
  return [{ key: `shop-photo-${hash}`, path, sha256: null, image }];
}
