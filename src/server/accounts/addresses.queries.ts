import type { Db } from "#db/database.ts";
import type { AddressTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { DeliveryAddress, SavedAddress } from "#shared/schemas/addresses.ts";

/** The user's addresses, the default first, then the newest. */
export async function findAddresses(db: Db | Trx, userId: string): Promise<SavedAddress[]> {
  const rows = await db
    .selectFrom("addresses")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("is_default", "desc")
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toAddress);
}

export async function insertAddress(
  trx: Trx,
  { id, isDefault, ...address }: SavedAddress,
  { userId, now }: { userId: string; now: string },
): Promise<void> {
  await trx
    .insertInto("addresses")
    .values({ id, user_id: userId, ...toRow(address), is_default: isDefault ? 1 : 0, created_at: now })
    .execute();
}

/** Returns false when the user has no such address. */
export async function updateAddress(
  trx: Trx,
  userId: string,
  { id, address }: { id: string; address: DeliveryAddress },
): Promise<boolean> {
  const updated = await trx
    .updateTable("addresses")
    .set(toRow(address))
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return updated !== undefined;
}

/** Returns false when the user has no such address. */
export async function deleteAddress(trx: Trx, userId: string, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("addresses")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function deleteAddressesOf(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("addresses").where("user_id", "=", userId).execute();
}

/** Makes this address the user's only default. */
export async function setDefault(trx: Trx, userId: string, id: string): Promise<void> {
  await trx.updateTable("addresses").set({ is_default: 0 }).where("user_id", "=", userId).execute();
  await trx
    .updateTable("addresses")
    .set({ is_default: 1 })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .execute();
}

function toRow({ fullname, flatno, roadNo, country }: DeliveryAddress) {
  return { fullname, flatno, road_no: roadNo, country };
}

function toAddress(row: AddressTable): SavedAddress {
  return {
    id: row.id,
    isDefault: row.is_default === 1,
    fullname: row.fullname,
    flatno: row.flatno,
    roadNo: row.road_no,
    country: row.country,
  };
}
