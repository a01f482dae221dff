import { daysBetween } from "#shared/indian-days.ts";
import type { FiguresInput } from "#shared/schemas/figures.ts";
import type { Context, StaffMember } from "../context.ts";
import { requireShop } from "../staff/staff.access.service.ts";
import {
  type DayFigures,
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
  /** The best first. */
  shops: ShopFigures[];
  /** The one that brought in most first. */
  options: OptionFigures[];
}

/**
 * What was ordered in a period in the caller's shops, or in one of them, by the day on which it was placed. Cancelled
 * orders are counted apart and bring in nothing. Throws NOT_FOUND for a shop that is not theirs.
 */
export async function getFigures(
  ctx: Context<StaffMember>,
  { shopId, from, until }: FiguresInput,
): Promise<Figures> {
  if (shopId) requireShop(ctx, shopId);
  const range = { shops: shopId ? [shopId] : ctx.actor.shops, from, until };
  const days = await findDayFigures(ctx.readDb, range);
  const shops = await findShopFigures(ctx.readDb, range);
  const options = await findOptionFigures(ctx.readDb, range);
  const byDay = new Map(days.map((figures) => [figures.day, figures]));
  return {
    total: days.reduce(plus, NOTHING),
    days: daysBetween(from, until).map((day) => byDay.get(day) ?? { day, ...NOTHING }),
    shops,
    options,
  };
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
