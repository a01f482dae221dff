import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import { MAX_ADDRESSES, type SavedAddress } from "#shared/schemas/addresses.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
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

/** The addresses that the user has saved, the default first. */
export function listAddresses(ctx: Context<SignedIn>): Promise<SavedAddress[]> {
  return findAddresses(ctx.readDb, ctx.actor.user._id);
}

/** Saves an address; the first becomes the default. One that is saved already stays as it is. Throws CONFLICT beyond the tenth. */
export function addAddress(
  ctx: Context<SignedIn>,
  { address }: { address: DeliveryAddress },
): Promise<SavedAddress> {
  return change(ctx, async (trx, userId) => {
    const known = await findAddresses(trx, userId);
    const same = known.find((candidate) => isSame(candidate, address));
    if (same) return same;
    if (known.length >= MAX_ADDRESSES) {
      throw new AppError("CONFLICT", `You can save ${MAX_ADDRESSES} addresses. Please delete one first`);
    }
    const saved = { id: randomUUID(), isDefault: known.length === 0, ...address };
    await insertAddress(trx, saved, { userId, now: ctx.now().toISOString() });
    return saved;
  });
}

/** Throws NOT_FOUND for an address that is not the user's, as the two below do. */
export function editAddress(
  ctx: Context<SignedIn>,
  input: { id: string; address: DeliveryAddress },
): Promise<void> {
  return change(ctx, async (trx, userId) => {
    if (!(await updateAddress(trx, userId, input))) throw notFound();
  });
}

/** Deletes an address; where it was the default, the newest of the others becomes it. */
export function removeAddress(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  return change(ctx, async (trx, userId) => {
    if (!(await deleteAddress(trx, userId, id))) throw notFound();
    const [first] = await findAddresses(trx, userId);
    if (first && !first.isDefault) await setDefault(trx, userId, first.id);
  });
}

export function makeDefault(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  return change(ctx, async (trx, userId) => {
    const known = await findAddresses(trx, userId);
    if (!known.some((address) => address.id === id)) throw notFound();
    await setDefault(trx, userId, id);
  });
}

/** One change of a user's addresses after the other, so that they stay within their number and have one default. */
function change<Result>(
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

/** Forgets every address that this user has saved. */
export function forgetAddresses(trx: Trx, userId: string): Promise<void> {
  return deleteAddressesOf(trx, userId);
}
