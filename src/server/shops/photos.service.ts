import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Sharp } from "sharp";
import type { Db } from "#db/database.ts";
import { DAY_MS } from "#shared/durations.ts";
import { PHOTO_WIDTH, photoHash, photoPath, SMALL_PHOTO_WIDTH } from "#shared/photos.ts";
import type { SeedFile } from "#shared/schemas/seed.ts";
import type { Context, Deps, StaffMember } from "../context.ts";
import { AppError, fieldError } from "../errors.ts";
import { type Picture, receivePicture, reencode } from "../http/pictures.ts";
import { IN_DATA_DIR } from "../lib/data-dir.ts";
import { removeEach } from "../lib/jobs.ts";
import {
  deletePhotoRow,
  findDeletedPhotos,
  findPhotoKey,
  findShownPhotos,
  insertPhoto,
  markUnusedPhotosDeleted,
  touchPhoto,
} from "./photos.queries.ts";

/** How long an uploaded photo may wait until its shop is saved. */
const UNUSED_MS = DAY_MS;

/**
 * Stores a photo for a shop's card, cropped and re-encoded, and returns its path. The same photo is stored once. Throws
 * TOO_LARGE, UNSUPPORTED_TYPE, UNREADABLE_FILE, INVALID_INPUT when it is too small, STORAGE_FULL or RATE_LIMITED.
 */
export async function uploadShopPhoto(
  ctx: Context<StaffMember>,
  body: ReadableStream<Uint8Array>,
): Promise<{ path: string }> {
  await ctx.limits.takeAll(["uploadAddress", ctx.address], ["uploadAccount", ctx.actor.user._id]);
  const photo = await receivePicture(ctx, body, ctx.actor.user._id, encodePhoto);
  const hash = createHash("sha256").update(photo.large).digest("hex").slice(0, 32);
  const path = photoPath(hash);
  const releaseDisk = await ctx.diskSpace.take(photo.large.length + photo.small.length);
  try {
    if (ctx.files.isShared) await sharePhoto(ctx, path, photo.large);
    await new PhotoFolder(ctx.config.dataDir).keep(hash, photo, ctx.now());
  } finally {
    releaseDisk();
  }
  return { path };
}

interface PhotoKeeper extends Pick<Deps, "db" | "now"> {
  config: Pick<Deps["config"], "dataDir">;
  files: Pick<Deps["files"], "isShared">;
}

/**
 * Keeps the photo of a shop that is about to be saved. Throws INVALID_INPUT when it was deleted, because the form had been open
 * for too long: its browser still shows the photo, but nobody else's would.
 */
export async function requirePhoto(deps: PhotoKeeper, image: string): Promise<void> {
  if (await keepPhoto(deps, image)) return;
  throw fieldError("shopImage", "This picture is no longer in the store. Please choose it again");
}

/** Keeps an uploaded photo; false if it was deleted. A picture that nobody uploaded is kept anyway. */
async function keepPhoto({ config, db, files, now }: PhotoKeeper, image: string): Promise<boolean> {
  const hash = photoHash(image);
  if (hash === undefined) return true;
  return files.isShared
    ? touchPhoto(db, { image, kept_at: now().toISOString() })
    : new PhotoFolder(config.dataDir).touch(hash, now());
}

/**
 * Keeps the photos of a seed file, which may be older than the photo that a shop has now, and bring back one that was deleted
 * since. Throws CONFLICT where one is not in this store, unless its shop names it already.
 */
export async function requirePhotos(
  deps: PhotoKeeper & Pick<Deps, "readDb">,
  shops: SeedFile["shops"],
): Promise<void> {
  const ids = shops.map(({ id }) => id);
  const rows = await deps.readDb.selectFrom("shops").select(["id", "image"]).where("id", "in", ids).execute();
  const known = new Map(rows.map(({ id, image }) => [id, image]));
  for (const { id, shopName, shopImage } of shops) {
    if (known.get(id) === shopImage || (await keepPhoto(deps, shopImage))) continue;
    throw new AppError(
      "CONFLICT",
      `The picture of ${shopName} in this file is not in this store. Name one of its drawings in the file, and upload the photo afterwards`,
    );
  }
}

/**
 * The photo file of this name; null when there is none. A photo uploaded to another server is fetched once and then
 * kept here.
 */
export async function readShopPhoto(
  deps: Pick<Deps, "config" | "readDb" | "files" | "now">,
  name: string,
): Promise<Buffer | null> {
  const folder = new PhotoFolder(deps.config.dataDir);
  const stored = await folder.read(name);
  const hash = hashOfFile(name);
  if (stored || !hash || !deps.files.isShared) return stored;
  const large = await readSharedPhoto(deps, photoPath(hash));
  if (!large) return null;
  await folder.keep(hash, await withSmall(large), deps.now());
  return folder.read(name);
}

/** Deletes photos older than a day that no shop uses, and partly written files older than a day. */
export async function deleteUnusedShopPhotos(
  deps: Pick<Deps, "config" | "db" | "readDb" | "files" | "now">,
): Promise<void> {
  const { config, readDb, files, now } = deps;
  const folder = new PhotoFolder(config.dataDir);
  const before = new Date(now().getTime() - UNUSED_MS);
  await folder.removeTemporaryFiles(before);
  const hashes = await folder.keptBefore(before);
  const used = new Set(await findShownPhotos(readDb));
  for (const hash of hashes) {
    if (!used.has(photoPath(hash))) await folder.remove(hash);
  }
  if (files.isShared) await deleteUnusedSharedPhotos(deps, before);
}

type SharedPhotoDeps = Pick<Deps, "db" | "files" | "now">;

/** Stores the large photo for `image` in the shared file store, where every server can read it. */
export async function sharePhoto(
  { db, files, now }: SharedPhotoDeps,
  image: string,
  large: Buffer,
): Promise<void> {
  const kept_at = now().toISOString();
  if (await touchPhoto(db, { image, kept_at })) return;
  const storage_key = randomUUID();
  const staged = await files.stage(Readable.from([large]), { key: storage_key, maxBytes: large.length });
  try {
    await staged.commit(() => insertPhoto(db, { storage_key, image, kept_at }));
  } finally {
    await staged.discard();
  }
}

/** The large photo for `image` from the shared file store; null when there is none. */
export async function readSharedPhoto(
  { readDb, files }: Pick<Deps, "readDb" | "files">,
  image: string,
): Promise<Buffer | null> {
  const key = await findPhotoKey(readDb, image);
  if (!key) return null;
  return files.read(key).then(buffer).catch(toNullWhenGone);
}

/** Deletes shared photos that were stored before `before` and that no shop uses. Throws as `removeEach` does. */
export async function deleteUnusedSharedPhotos(
  { db, files, now }: SharedPhotoDeps,
  before: Date,
): Promise<void> {
  await markUnusedPhotosDeleted(db, { before: before.toISOString(), at: now().toISOString() });
  await removeEach(await findDeletedPhotos(db), async (key) => {
    await files.remove(key);
    await deletePhotoRow(db, key);
  });
}

/** Whether any shop uses an uploaded photo. */
export async function hasShopPhotos(db: Db): Promise<boolean> {
  return (await findShownPhotos(db)).length > 0;
}

function toNullWhenGone(error: unknown): null {
  if (error instanceof AppError && error.code === "NOT_FOUND") return null;
  throw error;
}

const FILE_NAME = new RegExp(`^([0-9a-f]{32})(-${SMALL_PHOTO_WIDTH})?\\.webp$`);

const TEMPORARY = ".part";

/** The folder of shop photos; each photo is two files named by its hash. */
class PhotoFolder {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, IN_DATA_DIR.shopPhotos);
  }

  /** Stores the photo; one that is already there is dated to `now`. */
  async keep(hash: string, { large, small }: EncodedPhoto, now: Date): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const names = photoFiles(hash);
    await this.#write(names.small, small, now);
    await this.#write(names.large, large, now);
  }

  /** Dates a stored photo to `now`; false when there is none. */
  async touch(hash: string, now: Date): Promise<boolean> {
    const { large, small } = photoFiles(hash);
    const touched = [small, large].map((name) => utimes(join(this.#folder, name), now, now));
    return (await Promise.all(touched).catch(toNullWhenMissing)) !== null;
  }

  /** The file of this name; null when there is none. */
  async read(name: string): Promise<Buffer | null> {
    if (!FILE_NAME.test(name)) return null;
    return readFile(join(this.#folder, name)).catch(toNullWhenMissing);
  }

  /** The hashes of photos stored before `date`, including photos of which only one file was written before a crash. */
  async keptBefore(date: Date): Promise<string[]> {
    const names = await this.#writtenBefore(date);
    return [...new Set(names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []))];
  }

  /** Removes partly written files from before `date`. */
  async removeTemporaryFiles(date: Date): Promise<void> {
    for (const name of await this.#writtenBefore(date)) {
      if (name.endsWith(TEMPORARY)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async remove(hash: string): Promise<void> {
    const { large, small } = photoFiles(hash);
    for (const name of [large, small]) await rm(join(this.#folder, name), { force: true });
  }

  async #writtenBefore(date: Date): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(toNullWhenMissing)) ?? [];
    // Uploads rename their temporary files meanwhile.
    const found = await Promise.all(
      names.map((name) => stat(join(this.#folder, name)).catch(toNullWhenMissing)),
    );
    return names.filter((_name, index) => (found[index]?.mtime ?? date) < date);
  }

  /** Writes a temporary file and renames it, so that nobody is served a partial photo. */
  async #write(name: string, bytes: Buffer, now: Date): Promise<void> {
    const temporary = join(this.#folder, `${name}.${randomUUID()}${TEMPORARY}`);
    await writeFile(temporary, bytes, { flush: true });
    await utimes(temporary, now, now);
    await rename(temporary, join(this.#folder, name));
  }
}

/** The hash in this file name; null for any other name. */
function hashOfFile(name: string): string | null {
  return FILE_NAME.exec(name)?.[1] ?? null;
}

/** The file names of a photo. */
export function photoFiles(hash: string): { large: string; small: string } {
  return { large: `${hash}.webp`, small: `${hash}-${SMALL_PHOTO_WIDTH}.webp` };
}

function toNullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A photo as stored: two WebP sizes without metadata. */
interface EncodedPhoto {
  large: Buffer;
  small: Buffer;
}

const QUALITY = 80;

/**
 * Rotates a picture upright, crops it to 4:3 around its most striking part, and re-encodes it. Throws UNSUPPORTED_TYPE,
 * UNREADABLE_FILE, or INVALID_INPUT when it is too small.
 */
function encodePhoto(picture: Picture): Promise<EncodedPhoto> {
  return reencode(picture, ["image/png", "image/jpeg", "image/webp"], encode);
}

async function encode(image: Sharp): Promise<EncodedPhoto> {
  const { width, height } = (await image.metadata()).autoOrient;
  const [minWidth, minHeight] = [SMALL_PHOTO_WIDTH, heightOf(SMALL_PHOTO_WIDTH)];
  if (width < minWidth || height < minHeight) {
    const message = `The picture has ${width} × ${height} pixels. Please choose one with at least ${minWidth} × ${minHeight}`;
    throw new AppError("INVALID_INPUT", message);
  }
  const { strategy } = (await import("sharp")).default;
  const large = await image
    .autoOrient()
    .resize(PHOTO_WIDTH, heightOf(PHOTO_WIDTH), { fit: "cover", position: strategy.attention })
    .flatten({ background: "white" })
    .webp({ quality: QUALITY })
    .toBuffer();
  return withSmall(large);
}

/** Adds the small size to a large photo. */
async function withSmall(large: Buffer): Promise<EncodedPhoto> {
  const { default: sharp } = await import("sharp");
  const small = await sharp(large).resize(SMALL_PHOTO_WIDTH).webp({ quality: QUALITY }).toBuffer();
  return { large, small };
}

function heightOf(width: number): number {
  return (width * 3) / 4;
}
