import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Sharp } from "sharp";
import type { Db } from "#db/open.ts";
import { PHOTO_WIDTH, photoPath, SMALL_PHOTO_WIDTH } from "#shared/shop-photos.ts";
import type { Context, Deps, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { encodeAnew, type Picture, takePicture } from "../http/pictures.ts";
import { IN_DATA_DIR } from "../lib/data-dir.ts";
import { loadSharp } from "../lib/images.ts";
import { findUsedImages } from "./admin.queries.ts";
import {
  findDeletedPhotos,
  findPhotoKey,
  findShownPhotos,
  insertPhoto,
  markUnusedDeleted,
  removePhotoRow,
  touchPhoto,
} from "./photos.queries.ts";

/** How long a photo waits for the shop that it was uploaded for to be saved. */
const UNUSED_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps a photo for a shop's card, cropped and encoded anew, and answers the path under which it is served; equal photos
 * are one. Throws TOO_LARGE, UNSUPPORTED_TYPE, UNREADABLE_FILE, INVALID_INPUT for one that is too small, STORAGE_FULL or RATE_LIMITED.
 */
export async function uploadShopPhoto(
  ctx: Context<StaffMember>,
  body: ReadableStream<Uint8Array>,
): Promise<{ path: string }> {
  await ctx.limits.takeAll(["uploadAddress", ctx.address], ["uploadAccount", ctx.actor.user._id]);
  const photo = await takePicture(ctx, body, ctx.actor.user._id, encodePhoto);
  const hash = createHash("sha256").update(photo.large).digest("hex").slice(0, 32);
  const path = photoPath(hash);
  const leaveDisk = await ctx.diskRoom.take(photo.large.length + photo.small.length);
  try {
    if (ctx.files.isShared) await sharePhoto(ctx, path, photo.large);
    await new PhotoShelf(ctx.config.dataDir).keep(hash, photo, ctx.now());
  } finally {
    leaveDisk();
  }
  return { path };
}

/** The file of this name of a photo; null when there is none. What another server was given is kept here from then on. */
export async function readShopPhoto(
  deps: Pick<Deps, "config" | "readDb" | "files" | "now">,
  name: string,
): Promise<Buffer | null> {
  const folder = new PhotoShelf(deps.config.dataDir);
  const there = await folder.read(name);
  const hash = hashOfFile(name);
  if (there || !hash || !deps.files.isShared) return there;
  const large = await fetchSharedPhoto(deps, photoPath(hash));
  if (!large) return null;
  await folder.keep(hash, await withSmall(large), deps.now());
  return folder.read(name);
}

/** Removes the photos that are older than a day and that no shop shows, and what is only half-written after a day. */
export async function sweepShopPhotos(
  deps: Pick<Deps, "config" | "db" | "readDb" | "files" | "now">,
): Promise<void> {
  const { config, readDb, files, now } = deps;
  const folder = new PhotoShelf(config.dataDir);
  const before = new Date(now().getTime() - UNUSED_MS);
  await folder.removeHalfWritten(before);
  const hashes = await folder.keptBefore(before);
  const used = new Set(await findUsedImages(readDb, hashes.map(photoPath)));
  for (const hash of hashes) {
    if (!used.has(photoPath(hash))) await folder.remove(hash);
  }
  if (files.isShared) await sweepSharedPhotos(deps, before);
}

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

const FILE_NAME = new RegExp(`^([0-9a-f]{32})(-${SMALL_PHOTO_WIDTH})?\\.webp$`);

const PART = ".part";

/** The shop photos in one folder, each in two files named by the photo's hash. */
class PhotoShelf {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, IN_DATA_DIR.shopPhotos);
  }

  /** Keeps the photo; one that is there already counts as kept at `now`. */
  async keep(hash: string, { large, small }: EncodedPhoto, now: Date): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const names = photoFiles(hash);
    await this.#write(names.small, small, now);
    await this.#write(names.large, large, now);
  }

  /** The file of this name; null when there is none. */
  async read(name: string): Promise<Buffer | null> {
    if (!FILE_NAME.test(name)) return null;
    return readFile(join(this.#folder, name)).catch(toNullWhenMissing);
  }

  /** The hashes of the photos that were kept before `date`, also of one whose server was killed at its second file. */
  async keptBefore(date: Date): Promise<string[]> {
    const names = await this.#writtenBefore(date);
    return [...new Set(names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []))];
  }

  /** Removes what was half-written before `date`. */
  async removeHalfWritten(date: Date): Promise<void> {
    for (const name of await this.#writtenBefore(date)) {
      if (name.endsWith(PART)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async remove(hash: string): Promise<void> {
    const { large, small } = photoFiles(hash);
    for (const name of [large, small]) await rm(join(this.#folder, name), { force: true });
  }

  async #writtenBefore(date: Date): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(toNullWhenMissing)) ?? [];
    const isOld = async (name: string) => (await stat(join(this.#folder, name))).mtime < date;
    const old = await Promise.all(names.map(isOld));
    return names.filter((_name, index) => old[index]);
  }

  /** By way of a file beside it, so that nobody is ever served half of one. */
  async #write(name: string, bytes: Buffer, now: Date): Promise<void> {
    const part = join(this.#folder, `${name}.${randomUUID()}${PART}`);
    await writeFile(part, bytes, { flush: true });
    await utimes(part, now, now);
    await rename(part, join(this.#folder, name));
  }
}

/** The hash of the photo that a file of this name belongs to; null for another name. */
function hashOfFile(name: string): string | null {
  return FILE_NAME.exec(name)?.[1] ?? null;
}

/** The names under which the folder holds a photo. */
export function photoFiles(hash: string): { large: string; small: string } {
  return { large: `${hash}.webp`, small: `${hash}-${SMALL_PHOTO_WIDTH}.webp` };
}

function toNullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A photo as the store keeps it: two sizes as WebP, without anything that the camera noted in it. */
interface EncodedPhoto {
  large: Buffer;
  small: Buffer;
}

const QUALITY = 80;

/**
 * Turns a picture upright, crops it to 4:3 around what draws the eye, and encodes it anew. Throws UNSUPPORTED_TYPE,
 * UNREADABLE_FILE, or INVALID_INPUT for one that is too small.
 */
function encodePhoto(picture: Picture): Promise<EncodedPhoto> {
  return encodeAnew(picture, ["image/png", "image/jpeg", "image/webp"], encode);
}

async function encode(image: Sharp): Promise<EncodedPhoto> {
  const { width, height } = (await image.metadata()).autoOrient;
  const [minWidth, minHeight] = [SMALL_PHOTO_WIDTH, heightOf(SMALL_PHOTO_WIDTH)];
  if (width < minWidth || height < minHeight) {
    const message = `The picture has ${width} × ${height} pixels. Please choose one with at least ${minWidth} × ${minHeight}`;
    throw new AppError("INVALID_INPUT", message);
  }
  const { strategy } = await loadSharp();
  const large = await image
    .autoOrient()
    .resize(PHOTO_WIDTH, heightOf(PHOTO_WIDTH), { fit: "cover", position: strategy.attention })
    .flatten({ background: "white" })
    .webp({ quality: QUALITY })
    .toBuffer();
  return withSmall(large);
}

/** A photo of the large size, with the small one made of it. */
async function withSmall(large: Buffer): Promise<EncodedPhoto> {
  const sharp = await loadSharp();
  const small = await sharp(large).resize(SMALL_PHOTO_WIDTH).webp({ quality: QUALITY }).toBuffer();
  return { large, small };
}

function heightOf(width: number): number {
  return (width * 3) / 4;
}
