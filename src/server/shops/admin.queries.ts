import type { Selectable } from "kysely";
import type { Db } from "#db/database.ts";
import type { ShopTable } from "#db/schema.ts";
import { detailColumns } from "#db/seed/seed.queries.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import type { ShopDetails } from "#shared/schemas/shop-details.ts";
import type { LastSave } from "../errors.ts";
import { type ShopRecord, toShopRecord } from "./shops.queries.ts";

/** A shop with what only staff see. */
export interface ManagedShopRecord extends ShopRecord, LastSave {
  hidden: boolean;
  /** Whether its packs have a sheet between the files of an order. */
  separatesFiles: boolean;
  /** Whether the shop has ever had an order. */
  hasOrders: boolean;
}

/** Who saves, and when. */
export interface SaveStamp {
  by: string;
  at: string;
}

/** The shops with these ids by name, including hidden ones. */
export async function findManagedShops(db: Db | Trx, ids: readonly string[]): Promise<ManagedShopRecord[]> {
  const rows = await managedShops(db).where(isOneOf("id", ids)).orderBy("name").orderBy("id").execute();
  return rows.map(toManagedRecord);
}

export async function findManagedShop(db: Db | Trx, id: string): Promise<ManagedShopRecord | null> {
  const row = await managedShops(db).where("id", "=", id).executeTakeFirst();
  return row ? toManagedRecord(row) : null;
}

/** Returns false when the id is already taken. */
export async function insertShop(
  trx: Trx,
  { id, details, hidden, saved }: { id: string; details: ShopDetails; hidden: boolean; saved: SaveStamp },
): Promise<boolean> {
  const row = await trx
    .insertInto("shops")
    .values({
      id,
      ...detailColumns(details),
      hidden: hidden ? 1 : 0,
      created_at: saved.at,
      saved_by: saved.by,
      saved_at: saved.at,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false when the shop was saved since `version`, or is gone. */
export async function updateShopDetails(
  trx: Trx,
  { id, version, details, saved }: { id: string; version: number; details: ShopDetails; saved: SaveStamp },
): Promise<boolean> {
  const row = await trx
    .updateTable("shops")
    .set({ ...detailColumns(details), version: version + 1, saved_by: saved.by, saved_at: saved.at })
    .where("id", "=", id)
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether these are the shop's details already. */
export async function hasDetails(trx: Trx, id: string, details: ShopDetails): Promise<boolean> {
  const row = await trx
    .selectFrom("shops")
    .select("id")
    .where("id", "=", id)
    .where(({ and }) => and(detailColumns(details)))
    .executeTakeFirst();
  return row !== undefined;
}

/** Orders are mailed to this e-mail from now on. */
export async function updateOrderEmail(
  trx: Trx,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await trx.updateTable("shops").set({ order_email: email }).where("id", "=", id).execute();
}

/** Returns false when there is no such shop. */
export async function updateOpening(
  trx: Trx,
  { id, isOpen, closedNote }: { id: string; isOpen: boolean; closedNote: string },
): Promise<boolean> {
  const row = await trx
    .updateTable("shops")
    .set({ is_open: isOpen ? 1 : 0, closed_note: closedNote })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Turns the shop's counter for visitors on or off; false when it was so already, or there is no such shop. */
export async function updateCounter(trx: Trx, id: string, isOn: boolean): Promise<boolean> {
  const row = await trx
    .updateTable("shops")
    .set({ counter_on: isOn ? 1 : 0 })
    .where("id", "=", id)
    .where("counter_on", "=", isOn ? 0 : 1)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes the counter's present code invalid. */
export async function raiseCounterVersion(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable("shops")
    .set((eb) => ({ counter_version: eb("counter_version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Returns false when there is no such shop. */
export async function updateHidden(trx: Trx, id: string, hidden: boolean): Promise<boolean> {
  const row = await trx
    .updateTable("shops")
    .set({ hidden: hidden ? 1 : 0 })
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes a shop with its price list, its staff assignments, and the invitations for no other shop. Returns false when it has
 * orders or is gone.
 */
export async function deleteShopWithoutOrders(trx: Trx, id: string): Promise<boolean> {
  const row = await trx
    .deleteFrom("shops")
    .where("id", "=", id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("orders").select("orders.id").whereRef("orders.shop_id", "=", "shops.id"))),
    )
    .returning("id")
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .deleteFrom("staff_invitations")
    .where("role", "<>", "admin")
    .where("id", "not in", ({ selectFrom }) => selectFrom("staff_invitation_shops").select("invitation_id"))
    .execute();
  return true;
}

function managedShops(db: Db | Trx) {
  return db
    .selectFrom("shops")
    .selectAll("shops")
    .select(({ exists, selectFrom }) =>
      exists(selectFrom("orders").select("orders.id").whereRef("orders.shop_id", "=", "shops.id")).as(
        "has_orders",
      ),
    );
}

function toManagedRecord(row: Selectable<ShopTable> & { has_orders: unknown }): ManagedShopRecord {
  return {
    ...toShopRecord(row),
    hidden: row.hidden === 1,
    separatesFiles: row.separates_files === 1,
    hasOrders: Boolean(row.has_orders),
    version: row.version,
    savedBy: row.saved_by,
    savedAt: row.saved_at,
  };
}
