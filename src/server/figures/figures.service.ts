import { daysBetween } from "#shared/indian-days.ts";
import type { FiguresInput, ShopFiguresInput } from "#shared/schemas/figures.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import type { Context, StaffMember } from "../context.ts";
import { requireShop } from "../context.ts";
import {
  type DayFigures,
  type FiguresRange,
  findDayFigures,
  findOptionFigures,
  findShopFigures,
  type OptionFigures,
  type ShopFigures,
  type Takings,
} from "./figures.queries.ts";

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
export async function getFigures(ctx: Context<StaffMember>, input: FiguresInput): Promise<Figures> {
  const { from, until } = input;
  const range = rangeOf(ctx, input);
  const days = await findDayFigures(ctx.readDb, range);
  const options = await findOptionFigures(ctx.readDb, range);
  const byDay = new Map(days.map((figures) => [figures.day, figures]));
  return {
    total: days.reduce(plus, NOTHING),
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
  { by, cursor, ...input }: ShopFiguresInput,
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
  input: FiguresInput,
): Promise<Figures & { shops: ShopFigures[] }> {
  const figures = await getFigures(ctx, input);
  return { ...figures, shops: await findShopFigures(ctx.readDb, rangeOf(ctx, input)) };
}

function rangeOf(ctx: Context<StaffMember>, { shopId, from, until }: FiguresInput): FiguresRange {
  if (shopId) requireShop(ctx, shopId);
  return { shops: shopId ? [shopId] : ctx.actor.shops, from, until };
}

const NOTHING: Takings = { orders: 0, pages: 0, sheets: 0, revenuePaise: 0, cancelled: 0 };

function plus(one: Takings, other: Takings): Takings {
  return {
    orders: one.orders + other.orders,
    pages: one.pages + other.pages,
    sheets: one.sheets + other.sheets,
    revenuePaise: one.revenuePaise + other.revenuePaise,
    cancelled: one.cancelled + other.cancelled,
  };
}
