import type { Db } from "#db/open.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { ShopScheduleTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { parseOpeningHours } from "#shared/opening-hours.ts";
import { DEFAULT_SPEED, type Schedule, type Speed } from "#shared/promised-time.ts";

/** When and how fast a shop works. */
export interface ShopSchedule extends Schedule, Speed {}

const scheduleOfShop = new PreparedQuery((db, { shopId }: Placeholders<{ shopId: string }>) =>
  db
    .selectFrom("shops")
    .leftJoin("shop_schedules", "shop_schedules.shop_id", "shops.id")
    .select(["shops.opening_hours", "holidays", "closed_until", "pages_per_minute", "handling_minutes"])
    .where("shops.id", "=", shopId),
);

/** Null for a shop that has not said when it is open, and one that is gone. */
export async function findSchedule(db: Db | Trx, shopId: string): Promise<ShopSchedule | null> {
  const row = await scheduleOfShop.first(db, { shopId });
  const week = parseOpeningHours(row?.opening_hours ?? "");
  if (!row || row.opening_hours === "" || typeof week === "string") return null;
  return {
    week,
    holidays: row.holidays ? row.holidays.split(",") : [],
    closedUntil: row.closed_until,
    pagesPerMinute: row.pages_per_minute ?? DEFAULT_SPEED.pagesPerMinute,
    handlingMinutes: row.handling_minutes ?? DEFAULT_SPEED.handlingMinutes,
  };
}

/** The settings of a shop's schedule; undefined if nobody has changed them. */
export async function findScheduleRow(db: Db | Trx, shopId: string): Promise<ShopScheduleTable | undefined> {
  return db.selectFrom("shop_schedules").selectAll().where("shop_id", "=", shopId).executeTakeFirst();
}

/** Changes some settings of a shop's schedule. */
export async function saveSchedule(
  trx: Trx,
  shopId: string,
  changes: Partial<Omit<ShopScheduleTable, "shop_id">>,
): Promise<void> {
  const first = {
    shop_id: shopId,
    holidays: "",
    closed_until: null,
    pages_per_minute: DEFAULT_SPEED.pagesPerMinute,
    handling_minutes: DEFAULT_SPEED.handlingMinutes,
  };
  await trx
    .insertInto("shop_schedules")
    .values({ ...first, ...changes })
    .onConflict((conflict) => conflict.column("shop_id").doUpdateSet(changes))
    .execute();
}
