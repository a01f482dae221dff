import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Db } from "#db/open.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  findDeletedPhotos,
  findPhotoKey,
  findShownPhotos,
  insertPhoto,
  markUnusedDeleted,
  removePhotoRow,
  touchPhoto,
} from "./shops.photo-queries.ts";

export { isPhotoRecorded } from "./shops.photo-queries.ts";

type Sharing = Pick<Deps, "db" | "files" | "now">;

/** Keeps a photo of the large size, which is served at `image`, where every server sees it. */
export async function sharePhoto({ db, files, now }: Sharing, image: string, large: Buffer): Promise<void> {
  const kept_at = now().toISOString();
  if (await touchPhoto(db, { image, kept_at })) return;
  const storage_key = randomUUID();
  const staged = await files.stage(Readable.from([large]), { key: storage_key, maxBytes: large.length });
  try {
    await staged.keep(() => insertPhoto(db, { storage_key, image, kept_at }));
  } finally {
    await staged.discard();
  }
}

/** The photo at `image`, of the large size, whichever server it was given to; null when there is none. */
export async function fetchSharedPhoto(
  { readDb, files }: Pick<Deps, "readDb" | "files">,
  image: string,
): Promise<Buffer | null> {
  const key = await findPhotoKey(readDb, image);
  if (!key) return null;
  return files.read(key).then(buffer).catch(toNullWhenGone);
}

/** Removes shared photos that were kept before `before` and that no shop shows. */
export async function sweepSharedPhotos({ db, files, now }: Sharing, before: Date): Promise<void> {
  await markUnusedDeleted(db, { before: before.toISOString(), at: now().toISOString() });
  for (const key of await findDeletedPhotos(db)) {
    await files.remove(key);
    await removePhotoRow(db, key);
  }
}

/** Whether any shop shows a photo that the store keeps. */
export async function hasShopPhotos(db: Db): Promise<boolean> {
  return (await findShownPhotos(db)).length > 0;
}

function toNullWhenGone(error: unknown): null {
  if (error instanceof AppError && error.code === "NOT_FOUND") return null;
  throw error;
}
