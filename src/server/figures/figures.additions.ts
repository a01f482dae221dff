import type { DailyFiguresTable, DailyOptionFiguresTable } from "#db/schema.ts";
import { indianDay } from "#shared/indian-days.ts";
import { ALL_SHOPS, type CountedOrder } from "./figures.counting-queries.ts";

/** What is added to the figures of days; below zero where something is taken back. */
export interface Additions {
  days: DailyFiguresTable[];
  options: DailyOptionFiguresTable[];
}

/** What these orders, `times` 1 or -1, add to the figures: one row for each row of the figures, in the order of their keys. */
export function additionsOf(orders: CountedOrder[], times: 1 | -1 = 1): Additions {
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
