import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { formatBytes } from "#shared/format.ts";
import { findNoRoom, type UploadRoom } from "#shared/upload-room.ts";
import { requireAccount } from "../accounts/profile.service.ts";
import type { Context, Deps, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { storageFull } from "../http/disk-room.ts";
import {
  deleteReservation,
  holdReservations,
  insertReservation,
  sumHeldBytes,
  sumUnorderedBytes,
} from "./room.queries.ts";

/** Longer than any request may last. */
const LONGEST_UPLOAD_MS = 35 * 60 * 1000;
/** Files of orders that are not printed yet count too, since orders cost nothing to place: together so many times the room. */
const WITH_ORDERS = 4;

/** Room that is reserved for an upload until it has ended. */
export interface Reservation {
  /** Ends the reservation in the transaction that records the upload. */
  release(trx: Trx): Promise<void>;
}

/** What the user's files that are not ordered take, uploads under way included. */
export async function getUploadRoom(ctx: Context<SignedIn>): Promise<UploadRoom> {
  const held = await sumHeldBytes(ctx.readDb, ctx.actor.user._id, ctx.now().toISOString());
  return { usedBytes: held.unordered, maxBytes: ctx.config.maxUnorderedBytes };
}

/**
 * Reserves room for so many bytes on the disk, of the account and of all accounts, and runs `upload`. Throws RATE_LIMITED,
 * STORAGE_FULL or NO_ROOM. Reservations of a server that died end when it starts again, or when no upload can last any longer.
 */
export async function withRoom<Result>(
  ctx: Context<SignedIn>,
  { name, bytes }: { name: string; bytes: number },
  upload: (reservation: Reservation) => Promise<Result>,
): Promise<Result> {
  return ctx.diskRoom.during(ctx.actor.user._id, bytes, async () => {
    const id = randomUUID();
    await transact(ctx.db, (trx) => reserve(trx, ctx, { id, name, bytes }));
    let isReleased = false;
    try {
      return await upload({
        async release(trx) {
          await deleteReservation(trx, id);
          isReleased = true;
        },
      });
    } finally {
      if (!isReleased) await deleteReservation(ctx.db, id).catch(() => {});
    }
  });
}

type Counted = Pick<Deps, "readDb" | "config" | "now">;

/** What all accounts have uploaded and not ordered. */
export function allUnorderedBytes({ readDb, now }: Counted): Promise<number> {
  return sumUnorderedBytes(readDb, now().toISOString());
}

/** What all accounts together may still upload. */
export async function leftForAll(deps: Counted): Promise<number> {
  return Math.max(0, deps.config.maxAllUnorderedBytes - (await allUnorderedBytes(deps)));
}

async function reserve(
  trx: Trx,
  { actor, config, now }: Context<SignedIn>,
  { id, name, bytes }: { id: string; name: string; bytes: number },
): Promise<void> {
  const ownerId = actor.user._id;
  // The account's row is held, so that no other upload of theirs adds up at the same time.
  await requireAccount(trx, ownerId);
  const held = await sumHeldBytes(trx, ownerId, now().toISOString());
  const room = { usedBytes: held.unordered, maxBytes: config.maxUnorderedBytes };
  const refusal = findNoRoom(name, bytes, room) ?? findTooMuchOrdered(bytes, held, room.maxBytes);
  if (refusal) throw new AppError("NO_ROOM", refusal);
  await holdReservations(trx);
  const all = await sumUnorderedBytes(trx, now().toISOString());
  if (all + bytes > config.maxAllUnorderedBytes) throw storageFull();
  const expires_at = new Date(now().getTime() + LONGEST_UPLOAD_MS).toISOString();
  await insertReservation(trx, { id, owner_id: ownerId, bytes, expires_at });
}

function findTooMuchOrdered(
  bytes: number,
  { unordered, ordered }: { unordered: number; ordered: number },
  maxBytes: number,
): string | null {
  if (unordered + ordered + bytes <= WITH_ORDERS * maxBytes) return null;
  return `The files of your orders that are not printed yet take ${formatBytes(ordered)}. Please upload more once some of them are printed`;
}
