import { createHash } from "node:crypto";
import { photoPath } from "#shared/shop-photos.ts";
import type { Context, Deps, StaffMember } from "../context.ts";
import { takePicture } from "../pictures.ts";
import { findUsedImages } from "./shops.admin.queries.ts";
import { encodePhoto, withSmall } from "./shops.photo-codec.ts";
import { fetchSharedPhoto, sharePhoto, sweepSharedPhotos } from "./shops.photo-sharing.service.ts";
import { hashOfFile, PhotoShelf } from "./shops.photo-shelf.ts";

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
  const shelf = new PhotoShelf(deps.config.dataDir);
  const there = await shelf.read(name);
  const hash = hashOfFile(name);
  if (there || !hash || !deps.files.isShared) return there;
  const large = await fetchSharedPhoto(deps, photoPath(hash));
  if (!large) return null;
  await shelf.keep(hash, await withSmall(large), deps.now());
  return shelf.read(name);
}

/** Removes the photos that are older than a day and that no shop shows, and what is only half-written after a day. */
export async function sweepShopPhotos(
  deps: Pick<Deps, "config" | "db" | "readDb" | "files" | "now">,
): Promise<void> {
  const { config, readDb, files, now } = deps;
  const shelf = new PhotoShelf(config.dataDir);
  const before = new Date(now().getTime() - UNUSED_MS);
  await shelf.removeHalfWritten(before);
  const hashes = await shelf.keptBefore(before);
  const used = new Set(await findUsedImages(readDb, hashes.map(photoPath)));
  for (const hash of hashes) {
    if (!used.has(photoPath(hash))) await shelf.remove(hash);
  }
  if (files.isShared) await sweepSharedPhotos(deps, before);
}
