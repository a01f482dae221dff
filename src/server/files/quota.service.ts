import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { formatBytes } from "#shared/format.ts";
import { quotaProblem, type UploadQuota, type UploadRoom } from "#shared/upload-quota.ts";
import { VISIT_BYTES } from "#shared/visits.ts";
import { requireUploader } from "../accounts/visits.service.ts";
import type { Context, Deps, Uploader, Visitor } from "../context.ts";
import { AppError } from "../errors.ts";
import { storageFull } from "../http/disk-space.ts";
import {
  deleteReservation,
  type HeldBytes,
  insertReservation,
  lockReservations,
  sumHeldBytes,
  sumUnorderedBytes,
  sumVisitBytes,
  type VisitGroup,
} from "./quota.queries.ts";

/** Longer than any request may last. */
const LONGEST_UPLOAD_MS = 35 * MINUTE_MS;
/** Files of unprinted orders count too, because orders cost nothing to place: all together may take this many times the quota. */
const WITH_ORDERS = 4;

/** Bytes that are reserved for an upload until it has ended. */
export interface Reservation {
  /** Ends the reservation in the transaction that records the upload. */
  release(trx: Trx): Promise<void>;
}

/** Bytes of the user's unordered files, running uploads included, their limit, and that of each file. */
export async function getUploadRoom(ctx: Context<Uploader>): Promise<UploadRoom> {
  const held = await sumHeldBytes(ctx.readDb, ctx.actor.user._id, ctx.now().toISOString());
  return { ...quotaOf(ctx, held), maxFileBytes: ctx.config.maxUploadBytes };
}

/** Ordered files of a visitor count too: they are deleted as soon as they are printed. */
function quotaOf(
  { actor, config }: Pick<Context<Uploader>, "actor" | "config">,
  held: HeldBytes,
): UploadQuota {
  const { maxUnorderedBytes } = config;
  if (actor.kind === "user") return { usedBytes: held.unordered, maxBytes: maxUnorderedBytes };
  return {
    usedBytes: held.unordered + held.ordered,
    maxBytes: Math.min(maxUnorderedBytes, VISIT_BYTES.visit),
  };
}

/**
 * Reserves these bytes on the disk, of the account's quota and of the quota of all accounts, and runs `upload`. Throws
 * STORAGE_FULL or NO_ROOM. Reservations of a crashed server end when it restarts or after LONGEST_UPLOAD_MS.
 */
export async function withQuota<Result>(
  ctx: Context<Uploader>,
  wanted: { name: string; bytes: number },
  upload: (reservation: Reservation) => Promise<Result>,
): Promise<Result> {
  const release = await ctx.diskSpace.take(wanted.bytes);
  return withReservation(ctx, wanted, upload).finally(release);
}

async function withReservation<Result>(
  ctx: Context<Uploader>,
  { name, bytes }: { name: string; bytes: number },
  upload: (reservation: Reservation) => Promise<Result>,
): Promise<Result> {
  const id = randomUUID();
  await transact(ctx.db, (trx) => reserve(trx, ctx, { id, name, bytes }));
  try {
    return await upload({ release: (trx) => deleteReservation(trx, id) });
  } catch (error) {
    // Also where the transaction that released it was rolled back.
    await deleteReservation(ctx.db, id).catch(() => {});
    throw error;
  }
}

type Counted = Pick<Deps, "readDb" | "config" | "now">;

/** Bytes that all accounts have uploaded and not ordered. */
export function allUnorderedBytes({ readDb, now }: Counted): Promise<number> {
  return sumUnorderedBytes(readDb, now().toISOString());
}

/** Bytes that all accounts together may still upload. */
export async function freeUnorderedBytes(deps: Counted): Promise<number> {
  return Math.max(0, deps.config.maxAllUnorderedBytes - (await allUnorderedBytes(deps)));
}

async function reserve(
  trx: Trx,
  ctx: Context<Uploader>,
  { id, name, bytes }: { id: string; name: string; bytes: number },
): Promise<void> {
  const { actor, config, now } = ctx;
  const ownerId = actor.user._id;
  // Locks the account's row, so that its simultaneous uploads are added up one after the other.
  await requireUploader(trx, ownerId);
  const held = await sumHeldBytes(trx, ownerId, now().toISOString());
  const quota = quotaOf(ctx, held);
  const refusal = quotaProblem(name, bytes, quota) ?? findTooMuchOrdered(bytes, held, quota.maxBytes);
  if (refusal) throw new AppError("NO_ROOM", refusal);
  await lockReservations(trx);
  if (actor.kind === "visitor") await requireVisitRoom(trx, actor, { bytes, at: now().toISOString() });
  const all = await sumUnorderedBytes(trx, now().toISOString());
  if (all + bytes > config.maxAllUnorderedBytes) throw storageFull();
  const expires_at = new Date(now().getTime() + LONGEST_UPLOAD_MS).toISOString();
  await insertReservation(trx, { id, owner_id: ownerId, bytes, expires_at });
}

/**
 * Throws NO_ROOM where the visits of this address, with this code or at this shop would hold too much with these bytes. The
 * address comes first, so that it is told, and not everybody else at the shop.
 */
async function requireVisitRoom(
  trx: Trx,
  { visit: { shopId, code, addressHash } }: Visitor,
  { bytes, at }: { bytes: number; at: string },
): Promise<void> {
  const groups: [VisitGroup, most: number, message: string][] = [
    [
      { address: addressHash },
      VISIT_BYTES.address,
      "The phones on this network have no room left at the counter. Please use mobile data, or try again once their files are printed",
    ],
    [
      { shopId, code },
      VISIT_BYTES.code,
      "The counter has no room left for files. Please tell the staff: a new code makes room",
    ],
    [
      { shopId },
      VISIT_BYTES.shop,
      "The counter has no room left for files. Please try again once some of them are printed",
    ],
  ];
  for (const [group, most, message] of groups) {
    if ((await sumVisitBytes(trx, group, at)) + bytes > most) throw new AppError("NO_ROOM", message);
  }
}

/**
 * Throws NO_ROOM where the orders that clerks have entered at this shop, with this code, hold too much: their files are
 * not the clerk's any more.
 */
export async function requireWalkInRoom(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  { visit: { shopId, code } }: Visitor,
): Promise<void> {
  await lockReservations(trx);
  if ((await sumVisitBytes(trx, { shopId, code }, now().toISOString())) <= VISIT_BYTES.code) return;
  const message = "The orders entered here have too many files. Please enter more once some are printed";
  throw new AppError("NO_ROOM", message);
}

function findTooMuchOrdered(
  bytes: number,
  { unordered, ordered }: HeldBytes,
  maxBytes: number,
): string | null {
  if (unordered + ordered + bytes <= WITH_ORDERS * maxBytes) return null;
  return `The files of your orders that are not printed yet take ${formatBytes(ordered)}. Please upload more once some of them are printed`;
}
