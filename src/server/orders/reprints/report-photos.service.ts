import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ReprintPhotoTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import { requireAccount } from "../../accounts/profile.service.ts";
import type { Context, Deps, SignedIn } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { type Reservation, withQuota } from "../../files/quota.service.ts";
import { type Picture, receivePicture, reencode } from "../../http/pictures.ts";
import { removeEach } from "../../lib/jobs.ts";
import { worksAt } from "../../staff/access.service.ts";
import {
  deleteReportPhotoRow,
  findDeletedReportPhotos,
  findReportPhoto,
  insertReportPhoto,
  type KeptPhoto,
  markPhotosDeleted,
} from "./reprints.queries.ts";

/** Maximum width and height in pixels; enough to read small print. */
const LONGEST_SIDE = 2000;
const QUALITY = 80;
/** How long photos are kept after the answer, without an answer, and without a report. */
const AFTER_ANSWER_MS = 30 * DAY_MS;
const WITHOUT_ANSWER_MS = 90 * DAY_MS;
const UNSENT_MS = DAY_MS;

/**
 * Stores a photo for an error report, encoded again to remove its metadata. Throws TOO_LARGE, NO_ROOM, STORAGE_FULL,
 * UNSUPPORTED_TYPE, UNREADABLE_FILE or RATE_LIMITED.
 */
export async function uploadReportPhoto(
  ctx: Context<SignedIn>,
  body: ReadableStream<Uint8Array>,
): Promise<{ id: string }> {
  const ownerId = ctx.actor.user._id;
  await ctx.limits.takeAll(["uploadAddress", ctx.address], ["uploadAccount", ownerId]);
  const photo = await receivePicture(ctx, body, ownerId, encodePhoto);
  const id = randomUUID();
  const row = {
    id,
    owner_id: ownerId,
    reprint_id: null,
    position: 0,
    bytes: photo.length,
    created_at: ctx.now().toISOString(),
    deleted_at: null,
  };
  const end = ctx.diskSpace.begin(ownerId);
  return withQuota(ctx, { name: "photo", bytes: photo.length }, async (reservation) => {
    const staged = await ctx.files.stage(Readable.from([photo]), { key: id, maxBytes: photo.length });
    try {
      await staged.commit(() => transact(ctx.db, (trx) => storePhoto(trx, row, reservation)));
    } finally {
      await staged.discard();
    }
    return { id };
  }).finally(end);
}

async function storePhoto(trx: Trx, photo: ReprintPhotoTable, reservation: Reservation): Promise<void> {
  await requireAccount(trx, photo.owner_id);
  await reservation.release(trx);
  await insertReportPhoto(trx, photo);
}

function encodePhoto(picture: Picture): Promise<Buffer> {
  return reencode(picture, ["image/png", "image/jpeg"], (image) =>
    image
      .autoOrient()
      .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "white" })
      .webp({ quality: QUALITY })
      .toBuffer(),
  );
}

/** Reads a photo for its owner or the staff of the reported shop. Throws NOT_FOUND for everyone else. */
export async function readReportPhoto(
  ctx: Context,
  id: string,
): Promise<{ bytes: number; open(): Promise<Readable> }> {
  const photo = await findReportPhoto(ctx.readDb, id);
  if (!photo || !(await maySee(ctx, photo))) throw new AppError("NOT_FOUND", "There is no such photo");
  return { bytes: photo.bytes, open: () => ctx.files.read(id) };
}

async function maySee(ctx: Context, { ownerId, shopId }: KeptPhoto): Promise<boolean> {
  const { actor } = ctx;
  if (actor.kind === "user" && actor.user._id === ownerId) return true;
  return shopId !== null && worksAt(ctx, shopId);
}

/**
 * Deletes photos that were never sent, those of reports past their retention time, and those of deleted accounts. Throws as
 * `removeEach` does.
 */
export async function deleteUnusedReportPhotos({
  db,
  files,
  now,
}: Pick<Deps, "db" | "files" | "now">): Promise<void> {
  const before = (ms: number) => new Date(now().getTime() - ms).toISOString();
  await markPhotosDeleted(db, {
    at: before(0),
    unsentSince: before(UNSENT_MS),
    answeredSince: before(AFTER_ANSWER_MS),
    reportedSince: before(WITHOUT_ANSWER_MS),
  });
  await removeEach(await findDeletedReportPhotos(db), async (id) => {
    await files.remove(id);
    await deleteReportPhotoRow(db, id);
  });
}
