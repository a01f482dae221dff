import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { type DeliveryAddress, MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  deleteAddress,
  deleteAddressesOf,
  findAddresses,
  insertAddress,
  setDefault,
  updateAddress,
} from "./addresses.queries.ts";
import { requireAccount } from "./profile.service.ts";

/** The user's saved addresses, the default first. */
export function listAddresses(ctx: Context<SignedIn>): Promise<SavedAddress[]> {
  return findAddresses(ctx.readDb, ctx.actor.user._id);
}

/**
 * Saves an address; the first becomes the default. An address that is already saved is returned unchanged. Throws
 * CONFLICT when the user has MAX_ADDRESSES.
 */
export function addAddress(
  ctx: Context<SignedIn>,
  { address }: { address: DeliveryAddress },
): Promise<SavedAddress> {
  return changeAddresses(ctx, async (trx, userId) => {
    const known = await findAddresses(trx, userId);
    const same = known.find((candidate) => isSame(candidate, address));
    if (same) return same;
    if (known.length >= MAX_ADDRESSES) {
      throw new AppError(
        "CONFLICT",
        `You can save up to ${MAX_ADDRESSES} addresses. Please delete one first`,
      );
    }
    const saved = { id: randomUUID(), isDefault: known.length === 0, ...address };
    await insertAddress(trx, saved, { userId, now: ctx.now().toISOString() });
    return saved;
  });
}

/** Throws NOT_FOUND for an address of somebody else, as do the two functions below. */
export function editAddress(
  ctx: Context<SignedIn>,
  input: { id: string; address: DeliveryAddress },
): Promise<void> {
  return changeAddresses(ctx, async (trx, userId) => {
    if (!(await updateAddress(trx, userId, input))) throw notFound();
  });
}

/** Deletes an address. If it was the default, the newest remaining one becomes the default. */
export function removeAddress(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  return changeAddresses(ctx, async (trx, userId) => {
    if (!(await deleteAddress(trx, userId, id))) throw notFound();
    const [first] = await findAddresses(trx, userId);
    if (first && !first.isDefault) await setDefault(trx, userId, first.id);
  });
}

export function makeDefault(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  return changeAddresses(ctx, async (trx, userId) => {
    const known = await findAddresses(trx, userId);
    if (!known.some((address) => address.id === id)) throw notFound();
    await setDefault(trx, userId, id);
  });
}

/**
 * Locks the account, so that a user's changes run one after the other and cannot exceed the limit or leave two
 * defaults.
 */
function changeAddresses<Result>(
  ctx: Context<SignedIn>,
  body: (trx: Trx, userId: string) => Promise<Result>,
): Promise<Result> {
  const userId = ctx.actor.user._id;
  return transact(ctx.db, async (trx) => {
    await requireAccount(trx, userId);
    return body(trx, userId);
  });
}

function isSame(a: DeliveryAddress, b: DeliveryAddress): boolean {
  return (
    a.fullname === b.fullname && a.flatno === b.flatno && a.roadNo === b.roadNo && a.country === b.country
  );
}

function notFound(): AppError {
  return new AppError("NOT_FOUND", "This address was not found");
}

/** Deletes all saved addresses of this user. */
export function deleteSavedAddresses(trx: Trx, userId: string): Promise<void> {
  return deleteAddressesOf(trx, userId);
}
