import { expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert } from "#db/prepared.ts";
import type { DailyOptionStatsTable, DailyStatsTable, Schema } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import type { Day } from "#shared/indian-time.ts";
import type { Paise } from "#shared/money.ts";
import type { OptionKind } from "#shared/options.ts";
import type { StatsMeasure } from "#shared/schemas/stats.ts";
import type { ShopRange } from "../context.ts";

/** Orders that are not cancelled. */
interface Counts {
  orders: number;
  /** Printed pages: an order's pages times its copies. */
  pages: number;
  sheets: number;
}

/** The same with their revenue, and the number of cancelled orders. */
export interface Totals extends Counts {
  revenuePaise: Paise;
  cancelled: number;
}

export interface DayStats extends Totals {
  day: Day;
}

export interface ShopStats extends Totals {
  id: string;
  name: string;
  location: string;
}

export interface OptionStats extends Counts {
  kind: OptionKind;
  name: string;
  /** Revenue from the option itself, before rounding, tax and delivery. */
  amountPaise: Paise;
}

const { fn } = expressionBuilder<Schema, "daily_stats">();
const SUMS = [
  fn.sum<number>("orders").as("orders"),
  fn.sum<number>("pages").as("pages"),
  fn.sum<number>("sheets").as("sheets"),
  fn.sum<number>("revenue_paise").as("revenuePaise"),
  fn.sum<number>("cancelled").as("cancelled"),
];

/** The days with orders. */
export async function findDayStats(db: Db, range: ShopRange): Promise<DayStats[]> {
  return db
    .selectFrom("daily_stats")
    .select("day")
    .select(SUMS)
    .where(isWithin(range))
    .groupBy("day")
    .execute();
}

/** The shops with orders, or one page of them, the highest by the measure first. */
export async function findShopStats(
  db: Db,
  { shops, from, until }: ShopRange,
  part?: { by: StatsMeasure; start: number; limit: number },
): Promise<ShopStats[]> {
  // A cross join has SQLite go from shop to shop, however many days there are.
  let query = db
    .selectFrom("shops")
    .crossJoin("daily_stats")
    .select(["shops.id", "shops.name", "shops.location"])
    .select(SUMS)
    .whereRef("daily_stats.shop_id", "=", "shops.id")
    .where("day", ">=", from)
    .where("day", "<=", until)
    .where(isOneOf("shop_id", shops))
    .groupBy("shops.id")
    .orderBy(({ fn }) => fn.sum(MEASURED[part?.by ?? "revenue"]), "desc")
    .orderBy("shops.id");
  if (part) query = query.limit(part.limit).offset(part.start);
  return query.execute();
}

const MEASURED = {
  revenue: "daily_stats.revenue_paise",
  orders: "daily_stats.orders",
  pages: "daily_stats.pages",
  sheets: "daily_stats.sheets",
} as const;

/** The options that were ordered, highest revenue first. */
export async function findOptionStats(db: Db, range: ShopRange): Promise<OptionStats[]> {
  return db
    .selectFrom("daily_option_stats")
    .select(({ fn }) => [
      "kind",
      "name",
      fn.sum<number>("orders").as("orders"),
      fn.sum<number>("pages").as("pages"),
      fn.sum<number>("sheets").as("sheets"),
      fn.sum<number>("amount_paise").as("amountPaise"),
    ])
    .where(isWithin(range))
    .groupBy(["kind", "name"])
    .having(({ fn }) => fn.sum("orders"), ">", 0)
    .orderBy("amountPaise", "desc")
    .orderBy("orders", "desc")
    .orderBy("name")
    .execute();
}

function isWithin({ shops, from, until }: ShopRange): RawBuilder<SqlBool> {
  return sql`${isOneOf("shop_id", shops === "all" ? [ALL_SHOPS] : shops)} and day between ${from} and ${until}`;
}

/** Stands for all shops together in place of a shop's id; no shop can have it as its id. */
export const ALL_SHOPS = "*";

/** What is counted of an order. */
export interface CountedOrder {
  shopId: string;
  /** ISO 8601 in UTC. */
  placedAt: string;
  isCancelled: boolean;
  pages: number;
  copies: number;
  sheets: number;
  totalPaise: Paise;
  /** With the pages of one copy, and the sheets of all. */
  jobs: { pages: number; sheets: number; lines: { kind: OptionKind; name: string; amountPaise: Paise }[] }[];
}

const dayAdditions = new PreparedInsert((db, rows: Placeholders<DailyStatsTable>[]) =>
  db
    .insertInto("daily_stats")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["shop_id", "day"]).doUpdateSet((eb) => ({
        orders: eb("daily_stats.orders", "+", eb.ref("excluded.orders")),
        pages: eb("daily_stats.pages", "+", eb.ref("excluded.pages")),
        sheets: eb("daily_stats.sheets", "+", eb.ref("excluded.sheets")),
        revenue_paise: eb("daily_stats.revenue_paise", "+", eb.ref("excluded.revenue_paise")),
        cancelled: eb("daily_stats.cancelled", "+", eb.ref("excluded.cancelled")),
      })),
    ),
);

const optionAdditions = new PreparedInsert((db, rows: Placeholders<DailyOptionStatsTable>[]) =>
  db
    .insertInto("daily_option_stats")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["shop_id", "day", "kind", "name"]).doUpdateSet((eb) => ({
        orders: eb("daily_option_stats.orders", "+", eb.ref("excluded.orders")),
        pages: eb("daily_option_stats.pages", "+", eb.ref("excluded.pages")),
        sheets: eb("daily_option_stats.sheets", "+", eb.ref("excluded.sheets")),
        amount_paise: eb("daily_option_stats.amount_paise", "+", eb.ref("excluded.amount_paise")),
      })),
    ),
);

export async function addToDays(trx: Trx, rows: DailyStatsTable[]): Promise<void> {
  await dayAdditions.rows(trx, rows);
}

export async function addToOptions(trx: Trx, rows: DailyOptionStatsTable[]): Promise<void> {
  await optionAdditions.rows(trx, rows);
}
