import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { ShopScheduleTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { closingsOf } from "#shared/closed-days.ts";
import type { Day } from "#shared/indian-time.ts";
import { parseOpeningHours, type Week } from "#shared/opening-hours.ts";
import { DEFAULT_SPEED, type Schedule, type Speed } from "#shared/promised-time.ts";
import type { ShopScope } from "../context.ts";

/** When and how fast a shop works. */
export interface ShopSchedule extends Schedule, Speed {
  holidays: Day[];
}

const scheduleOfShop = new PreparedQuery((db, { shopId }: Placeholders<{ shopId: string }>) =>
  db
    .selectFrom("shops")
    .leftJoin("shop_schedules", "shop_schedules.shop_id", "shops.id")
    .select(["shops.opening_hours", "holidays", "closed_until", "pages_per_minute", "handling_minutes"])
    .where("shops.id", "=", shopId),
);

/** What is known of it: `week` is null for a shop that has not said when it is open. */
export type KnownSchedule = Omit<ShopSchedule, "week"> & { week: Week | null };

export async function findSchedule(db: Db | Trx, shopId: string): Promise<KnownSchedule> {
  const row = await scheduleOfShop.first(db, { shopId });
  const week = parseOpeningHours(row?.opening_hours ?? "");
  return {
    week: !row?.opening_hours || typeof week === "string" ? null : week,
    holidays: toDays(row?.holidays ?? null),
    closedUntil: row?.closed_until ?? null,
    pagesPerMinute: row?.pages_per_minute ?? DEFAULT_SPEED.pagesPerMinute,
    handlingMinutes: row?.handling_minutes ?? DEFAULT_SPEED.handlingMinutes,
  };
}

/** When a shop does not work although its hours say so. */
type Pause = Pick<Schedule, "holidays" | "closedUntil">;
export const NO_PAUSE: Pause = { holidays: [], closedUntil: null };

/** The holidays and early closings of all shops that have entered any, by shop id. */
export async function findPauses(db: Db): Promise<Map<string, Pause>> {
  const rows = await db
    .selectFrom("shop_schedules")
    .select(["shop_id", "holidays", "closed_until"])
    .where((or) => or.or([or("holidays", "<>", ""), or("closed_until", "is not", null)]))
    .execute();
  return new Map(
    rows.map(({ shop_id, holidays, closed_until }) => [
      shop_id,
      { holidays: toDays(holidays), closedUntil: closed_until },
    ]),
  );
}

function toDays(holidays: string | null): Day[] {
  return holidays ? holidays.split(",") : [];
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

/** A shop that takes no orders (`closedUntil` null), or that closed early and opens again by itself. */
export interface ClosedShop {
  id: string;
  name: string;
  /** What students are told; may be empty. */
  note: string;
  closedUntil: string | null;
}

/** Those of these shops that were closed by hand or closed early, sorted by name. */
export async function findClosedShops(
  db: Db | Trx,
  { scope, now }: { scope: ShopScope; now: Date },
): Promise<ClosedShop[]> {
  const rows = await db
    .selectFrom("shops")
    .leftJoin("shop_schedules", "shop_schedules.shop_id", "shops.id")
    .select(["shops.id", "shops.name", "shops.is_open", "shops.closed_note", "closed_until"])
    .select(["holidays", "opening_hours"])
    .where((or) => or.or([or("shops.is_open", "=", 0), or("closed_until", ">", now.toISOString())]))
    .where(isOneOf("shops.id", scope))
    .orderBy("shops.name")
    .orderBy("shops.id")
    .execute();
  return rows.map(({ id, name, is_open, closed_note, closed_until, holidays, opening_hours }) => {
    if (!is_open) return { id, name, note: closed_note, closedUntil: null };
    const shop = { openingHours: opening_hours, holidays: toDays(holidays), closedUntil: closed_until };
    return { id, name, note: "", closedUntil: closingsOf(shop, now).closedUntil };
  });
}
