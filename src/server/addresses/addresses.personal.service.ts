import type { Trx } from "#db/transaction.ts";
import { deleteAddressesOf } from "./addresses.queries.ts";

/** Forgets every address that this user has saved. */
export function forgetAddresses(trx: Trx, userId: string): Promise<void> {
  return deleteAddressesOf(trx, userId);
}
