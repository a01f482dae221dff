import type { DailyOptionStatsTable, DailyStatsTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { daysBetween, indianDay } from "#shared/indian-time.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import type { PeriodInput } from "#shared/schemas/period.ts";
import type { ShopStatsInput } from "#shared/schemas/stats.ts";
import { type Context, chosenRange, type StaffMember } from "../context.ts";
import {
  ALL_SHOPS,
  addToDays,
  addToOptions,
  type CountedOrder,
  type DayStats,
  findDayStats,
  findOptionStats,
  findShopStats,
  type OptionStats,
  type ShopStats,
  type Totals,
} from "./stats.queries.ts";

export interface Stats {
  total: Totals;
  /** Every day of the period, also those without orders. */
  days: DayStats[];
  /** Highest revenue first. */
  options: OptionStats[];
}

/**
 * The stats of a period for the caller's shops, or for one of them, by the day on which orders were placed. Cancelled
 * orders are counted separately, without revenue. Throws NOT_FOUND for a shop that is not theirs.
 */
export async function getStats(ctx: Context<StaffMember>, input: PeriodInput): Promise<Stats> {
  const { from, until } = input;
  const range = chosenRange(ctx, input);
  const days = await findDayStats(ctx.readDb, range);
  const options = await findOptionStats(ctx.readDb, range);
  const byDay = new Map(days.map((stats) => [stats.day, stats]));
  return {
    total: days.reduce(addTotals, NOTHING),
    days: daysBetween(from, until).map((day) => byDay.get(day) ?? { day, ...NOTHING }),
    options,
  };
}

export interface ShopStatsPage {
  rows: ShopStats[];
  /** The offset of the next page; null on the last. */
  next: number | null;
}

/** One page of the shops with orders in a period, the highest first. Throws as `getStats` does. */
export async function listShopStats(
  ctx: Context<StaffMember>,
  { by, cursor, ...input }: ShopStatsInput,
): Promise<ShopStatsPage> {
  const range = chosenRange(ctx, input);
  const start = cursor ?? 0;
  const end = start + LIST_ROWS;
  const found = await findShopStats(ctx.readDb, range, { by, start, limit: LIST_ROWS + 1 });
  return { rows: found.slice(0, LIST_ROWS), next: found.length > LIST_ROWS ? end : null };
}

/** The stats of a period with all shops, for export. Throws as `getStats` does. */
export async function exportStats(
  ctx: Context<StaffMember>,
  input: PeriodInput,
): Promise<Stats & { shops: ShopStats[] }> {
  const stats = await getStats(ctx, input);
  return { ...stats, shops: await findShopStats(ctx.readDb, chosenRange(ctx, input)) };
}

const NOTHING: Totals = { orders: 0, pages: 0, sheets: 0, revenuePaise: 0, cancelled: 0 };

function addTotals(one: Totals, other: Totals): Totals {
  return {
    orders: one.orders + other.orders,
    pages: one.pages + other.pages,
    sheets: one.sheets + other.sheets,
    revenuePaise: one.revenuePaise + other.revenuePaise,
    cancelled: one.cancelled + other.cancelled,
  };
}

/** Counts an order as cancelled that was counted before, within the transaction that cancels it. */
export async function countCancelled(trx: Trx, order: CountedOrder): Promise<void> {
  await countOrders(trx, [{ ...order, isCancelled: false }], -1);
  await countOrders(trx, [{ ...order, isCancelled: true }]);
}

/** Counts orders within the transaction that stores them, or with -1 takes them back. */
export async function countOrders(trx: Trx, orders: CountedOrder[], times: 1 | -1 = 1): Promise<void> {
  const { days, options } = additionsOf(orders, times);
  await addToDays(trx, days);
  await addToOptions(trx, options);
}

/** Numbers to add to the stored rows; below zero where orders are taken back. */
interface Additions {
  days: DailyStatsTable[];
  options: DailyOptionStatsTable[];
}

/** What these orders add, or with -1 take back: one row for each stored row, sorted by key. */
function additionsOf(orders: CountedOrder[], times: 1 | -1): Additions {
  const kept = orders.filter(({ isCancelled }) => !isCancelled);
  return {
    days: sumByKey(orders.map((order) => dayStats(order, times)).flatMap(withAllShops)),
    options: sumByKey(kept.flatMap((order) => optionStats(order, times)).flatMap(withAllShops)),
  };
}

/** Each row once for its shop and once for all shops. */
function withAllShops<Row extends { shop_id: string }>(row: Row): Row[] {
  return [row, { ...row, shop_id: ALL_SHOPS }];
}

function dayStats(order: CountedOrder, times: number): DailyStatsTable {
  const counted = order.isCancelled ? 0 : times;
  return {
    shop_id: order.shopId,
    day: indianDay(order.placedAt),
    orders: counted,
    pages: counted * order.pages * order.copies,
    sheets: counted * order.sheets,
    revenue_paise: counted * order.totalPaise,
    cancelled: order.isCancelled ? times : 0,
  };
}

function optionStats(order: CountedOrder, times: number): DailyOptionStatsTable[] {
  const day = indianDay(order.placedAt);
  const counted = new Set<string>();
  return order.jobs.flatMap(({ pages, sheets, lines }) =>
    lines.map(({ kind, name, amountPaise }) => {
      const option = `${kind} ${name}`;
      // An order counts once, however many of its jobs have the option.
      const orders = counted.has(option) ? 0 : times;
      counted.add(option);
      return {
        shop_id: order.shopId,
        day,
        kind,
        name,
        orders,
        pages: times * pages * order.copies,
        sheets: times * sheets,
        amount_paise: times * amountPaise,
      };
    }),
  );
}

/** Adds up the numbers of rows with the same texts. */
function sumByKey<Row extends object>(rows: Row[]): Row[] {
  return [...Map.groupBy(rows, textsOf)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, same]) => same.reduce(plus));
}

function textsOf(row: object): string {
  return JSON.stringify(Object.values(row).filter((value) => typeof value === "string"));
}

function plus<Row extends object>(one: Row, other: Row): Row {
  const numbers = other as Record<string, number>;
  const sums = Object.entries(one).map(([column, value]) => [
    column,
    typeof value === "number" ? value + (numbers[column] ?? 0) : value,
  ]);
  return Object.fromEntries(sums) as Row;
}
