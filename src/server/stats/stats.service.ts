import type { DailyFiguresTable, DailyOptionFiguresTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { daysBetween, indianDay } from "#shared/indian-time.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import type { ShopStatsInput, StatsInput } from "#shared/schemas/stats.ts";
import { type Context, requireShop, type StaffMember } from "../context.ts";
import {
  ALL_SHOPS,
  addToDays,
  addToOptions,
  type CountedOrder,
  type DayFigures,
  type FiguresRange,
  findDayFigures,
  findOptionFigures,
  findShopFigures,
  type OptionFigures,
  type ShopFigures,
  type Takings,
} from "./stats.queries.ts";

export interface Figures {
  total: Takings;
  /** Every day of the period, the empty ones too. */
  days: DayFigures[];
  /** The one that brought in most first. */
  options: OptionFigures[];
}

/**
 * What was ordered in a period in the caller's shops, or in one of them, by the day on which it was placed. Cancelled
 * orders are counted apart and bring in nothing. Throws NOT_FOUND for a shop that is not theirs.
 */
export async function getFigures(ctx: Context<StaffMember>, input: StatsInput): Promise<Figures> {
  const { from, until } = input;
  const range = rangeOf(ctx, input);
  const days = await findDayFigures(ctx.readDb, range);
  const options = await findOptionFigures(ctx.readDb, range);
  const byDay = new Map(days.map((figures) => [figures.day, figures]));
  return {
    total: days.reduce(addTakings, NOTHING),
    days: daysBetween(from, until).map((day) => byDay.get(day) ?? { day, ...NOTHING }),
    options,
  };
}

export interface ShopFiguresPage {
  rows: ShopFigures[];
  /** How many stand before the next page; null on the last. */
  next: number | null;
}

/** A page of the shops at which something was ordered in a period, the best first. Throws as `getFigures` does. */
export async function listShops(
  ctx: Context<StaffMember>,
  { by, cursor, ...input }: ShopStatsInput,
): Promise<ShopFiguresPage> {
  const range = rangeOf(ctx, input);
  const start = cursor ?? 0;
  const end = start + LIST_ROWS;
  const found = await findShopFigures(ctx.readDb, range, { by, start, limit: LIST_ROWS + 1 });
  return { rows: found.slice(0, LIST_ROWS), next: found.length > LIST_ROWS ? end : null };
}

/** A period as files to keep: with every shop, the one that brought in most first. Throws as `getFigures` does. */
export async function exportFigures(
  ctx: Context<StaffMember>,
  input: StatsInput,
): Promise<Figures & { shops: ShopFigures[] }> {
  const figures = await getFigures(ctx, input);
  return { ...figures, shops: await findShopFigures(ctx.readDb, rangeOf(ctx, input)) };
}

function rangeOf(ctx: Context<StaffMember>, { shopId, from, until }: StatsInput): FiguresRange {
  if (shopId) requireShop(ctx, shopId);
  return { shops: shopId ? [shopId] : ctx.actor.shops, from, until };
}

const NOTHING: Takings = { orders: 0, pages: 0, sheets: 0, revenuePaise: 0, cancelled: 0 };

function addTakings(one: Takings, other: Takings): Takings {
  return {
    orders: one.orders + other.orders,
    pages: one.pages + other.pages,
    sheets: one.sheets + other.sheets,
    revenuePaise: one.revenuePaise + other.revenuePaise,
    cancelled: one.cancelled + other.cancelled,
  };
}

/** Adds a new order to the figures, within the transaction that stores it. */
export async function countPlaced(trx: Trx, order: CountedOrder): Promise<void> {
  await countOrders(trx, [order]);
}

/** Makes an order that stood in the figures one of the cancelled, within the transaction that cancels it. */
export async function countCancelled(trx: Trx, order: CountedOrder): Promise<void> {
  await countOrders(trx, [{ ...order, isCancelled: false }], -1);
  await countOrders(trx, [{ ...order, isCancelled: true }]);
}

/** Adds many orders to the figures, or takes them out. */
export async function countOrders(trx: Trx, orders: CountedOrder[], times: 1 | -1 = 1): Promise<void> {
  const { days, options } = additionsOf(orders, times);
  for (const rows of inParts(days)) await addToDays(trx, rows);
  for (const rows of inParts(options)) await addToOptions(trx, rows);
}

/** More rows have more values than a statement may have on SQLite. */
const ROWS_AT_ONCE = 2000;

function* inParts<Row>(rows: Row[]): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    yield rows.slice(start, start + ROWS_AT_ONCE);
  }
}

/** What is added to the figures of days; below zero where something is taken back. */
export interface Additions {
  days: DailyFiguresTable[];
  options: DailyOptionFiguresTable[];
}

/** What these orders, `times` 1 or -1, add to the figures: one row for each row of the figures, in the order of their keys. */
function additionsOf(orders: CountedOrder[], times: 1 | -1 = 1): Additions {
  const kept = orders.filter(({ isCancelled }) => !isCancelled);
  return {
    days: sumUp(orders.map((order) => dayFigures(order, times)).flatMap(everywhere)),
    options: sumUp(kept.flatMap((order) => optionFigures(order, times)).flatMap(everywhere)),
  };
}

/** What a shop's figures get, those of all shops get too. */
function everywhere<Row extends { shop_id: string }>(row: Row): Row[] {
  return [row, { ...row, shop_id: ALL_SHOPS }];
}

function dayFigures(order: CountedOrder, times: number): DailyFiguresTable {
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

function optionFigures(order: CountedOrder, times: number): DailyOptionFiguresTable[] {
  const day = indianDay(order.placedAt);
  return order.lines.map(({ kind, name, amountPaise }) => ({
    shop_id: order.shopId,
    day,
    kind,
    name,
    orders: times,
    pages: times * order.pages * order.copies,
    sheets: times * order.sheets,
    amount_paise: times * amountPaise,
  }));
}

/** Rows with the same texts become one, with the sums of their numbers. */
function sumUp<Row extends object>(rows: Row[]): Row[] {
  const byTexts = Map.groupBy(rows, textsOf);
  const keys = [...byTexts.keys()].sort();
  return keys.flatMap((key) => byTexts.get(key)?.reduce(plus) ?? []);
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
