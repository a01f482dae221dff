import { sql } from "kysely";
import type { Db } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import { mapKinds, type OptionKind } from "#shared/options.ts";
import type { PriceEntry } from "#shared/price-list.ts";
import type { LastSave } from "../errors.ts";

/** An option that is in the database. */
export interface StoredEntry extends PriceEntry {
  id: string;
}
export type StoredLists = Record<OptionKind, StoredEntry[]>;

/** An option's position in its shop's price list. */
interface ListPosition {
  entry: StoredEntry;
  kind: OptionKind;
  position: number;
}

/** All options of a shop, including inactive ones, each list in its order. */
export async function findPriceLists(db: Db | Trx, shopId: string): Promise<StoredLists> {
  const rows = await db
    .selectFrom("shop_options")
    .selectAll()
    .where("shop_id", "=", shopId)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const groups = Map.groupBy(rows, (row) => row.kind);
  return mapKinds((kind) =>
    (groups.get(kind) ?? []).map(({ id, name, price_paise, basis, sides, in_colour, active }) => ({
      id,
      name,
      pricePaise: price_paise,
      basis,
      sides,
      inColour: in_colour === 1,
      active: active === 1,
    })),
  );
}

/** The last save of a price list; version 0 if nobody has saved it yet. */
export async function findLastSave(db: Db | Trx, shopId: string): Promise<LastSave> {
  const row = await db.selectFrom("price_lists").selectAll().where("shop_id", "=", shopId).executeTakeFirst();
  return { version: row?.version ?? 0, savedBy: row?.saved_by ?? null, savedAt: row?.saved_at ?? null };
}

/** Increments the version; false when somebody else has saved since `version`. */
export async function incrementVersion(
  trx: Trx,
  { shopId, version, by, at }: { shopId: string; version: number; by: string; at: string },
): Promise<boolean> {
  const saved = { version: version + 1, saved_by: by, saved_at: at };
  const row = await trx
    .insertInto("price_lists")
    .values({ shop_id: shopId, ...saved })
    .onConflict((conflict) =>
      conflict.column("shop_id").doUpdateSet(saved).where("price_lists.version", "=", version),
    )
    .returning("version")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOptions(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom("shop_options").where("id", "in", ids).execute();
}

/** Gives these options temporary unique names, so that two of them can swap names. */
export async function setTemporaryNames(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable("shop_options")
    .set({ name: sql.ref("id") })
    .where("id", "in", ids)
    .execute();
}

/** Its list never changes. */
export async function updateOption(
  trx: Trx,
  { entry, position }: Pick<ListPosition, "entry" | "position">,
): Promise<void> {
  await trx
    .updateTable("shop_options")
    .set({ ...columns(entry), position })
    .where("id", "=", entry.id)
    .execute();
}

export async function insertOption(trx: Trx, shopId: string, { entry, kind, position }: ListPosition) {
  await trx
    .insertInto("shop_options")
    .values({ id: entry.id, shop_id: shopId, kind, position, ...columns(entry) })
    .execute();
}

/** Marks an option as out, or as back. */
export async function updateOut(
  trx: Trx,
  { id, outSince }: { id: string; outSince: string | null },
): Promise<void> {
  await trx.updateTable("shop_options").set({ out_since: outSince }).where("id", "=", id).execute();
}

function columns({ name, pricePaise, basis, sides, inColour, active }: PriceEntry) {
  return {
    name,
    price_paise: pricePaise,
    basis,
    sides,
    in_colour: inColour ? (1 as const) : (0 as const),
    active: active ? (1 as const) : (0 as const),
  };
}
