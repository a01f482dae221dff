import { z } from "zod";
import { AUDIT_ACTIONS } from "#shared/audit-actions.ts";
import { addDays, type Day } from "#shared/indian-time.ts";
import { OPEN_STATES, ORDER_STATES } from "#shared/order-states.ts";
import { type BoardFilter, boardFilter, type OrderPageRequest } from "#shared/schemas/board.ts";
import { BOOK_FILTERS } from "#shared/schemas/book.ts";
import { STATS_MEASURES } from "#shared/schemas/stats.ts";
import { isDay, momentsOf } from "./times.ts";

// The state of screens that is kept in the URL; whatever is not valid there is left out.

/** As in date fields, `2026-11-21`. */
const day = z.string().refine(isDay).optional().catch(undefined);

/** One of these names, without those that every object has. */
function nameIn<Name extends string>(names: Record<Name, string>) {
  return z
    .enum(Object.keys(names) as Name[])
    .optional()
    .catch(undefined);
}

export type OrdersView = "board" | "table";

const { unpaid, fulfilment, paper, colour, onHold, due } = boardFilter.shape;

const ordersSearch = z.object({
  /** Default: the board. */
  view: z.literal("table").optional().catch(undefined),
  /** The column that a phone shows of the board. */
  column: z.enum(OPEN_STATES).optional().catch(undefined),
  /** The open order. */
  order: z.string().min(1).optional().catch(undefined),
  search: z.string().regex(/\S/).optional().catch(undefined),
  /** Default: open orders. */
  state: z
    .enum(["all", "done", ...ORDER_STATES])
    .optional()
    .catch(undefined),
  /** Only orders with an unanswered report of a printing error. */
  reported: z.literal(true).optional().catch(undefined),
  fromDay: day,
  untilDay: day,
  /** Default: oldest first. */
  sort: z.literal("newest").optional().catch(undefined),
  unpaid: unpaid.catch(undefined),
  fulfilment: fulfilment.catch(undefined),
  paper: paper.catch(undefined),
  colour: colour.catch(undefined),
  onHold: onHold.catch(undefined),
  due: due.catch(undefined),
});
export type OrdersSearch = z.output<typeof ordersSearch>;

export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  return ordersSearch.parse(search);
}

/** Without the filters that only the table has. */
export const NO_TABLE_FILTERS = {
  search: undefined,
  state: undefined,
  reported: undefined,
  fromDay: undefined,
  untilDay: undefined,
  sort: undefined,
} satisfies OrdersSearch;

/** The filters that board and table share. */
export function boardFilterOf(shown: OrdersSearch): BoardFilter {
  return boardFilter.parse(shown);
}

/** The server's input: both days whole, in India. */
export function pageRequest(shown: OrdersSearch, shopId: string | undefined): OrderPageRequest {
  const { search, state, reported, sort } = shown;
  return {
    ...boardFilterOf(shown),
    shopId,
    search,
    state: state ?? "open",
    reported,
    sort: sort ?? "oldest",
    ...momentsOf(shown),
  };
}

const auditFilter = z.object({
  search: z.string().min(1).optional().catch(undefined),
  action: nameIn(AUDIT_ACTIONS),
  fromDay: day,
  untilDay: day,
});
export type AuditFilter = z.output<typeof auditFilter>;

export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  return auditFilter.parse(search);
}

/** Periods relative to today. */
export const PRESETS = {
  today: "Today",
  "7-days": "7 days",
  "30-days": "30 days",
  "this-month": "This month",
  "last-month": "Last month",
} as const;
type Preset = keyof typeof PRESETS;

/** Two days, both included, count before a period. Default: revenue of the last 30 days. */
const statsSearch = z.object({
  period: nameIn<Preset>(PRESETS),
  fromDay: day,
  untilDay: day,
  measure: z.enum(STATS_MEASURES).optional().catch(undefined),
});
export type StatsSearch = z.output<typeof statsSearch>;

export function readStatsSearch(search: Record<string, unknown>): StatsSearch {
  return statsSearch.parse(search);
}

export interface Period {
  from: Day;
  until: Day;
  /** Undefined for a custom period. */
  preset?: Preset;
}

/** The requested days. @param today in India */
export function periodOf({ period = "30-days", fromDay, untilDay }: StatsSearch, today: Day): Period {
  if (fromDay && untilDay) return { from: fromDay, until: untilDay };
  return { ...presetDays(period, today), preset: period };
}

function presetDays(preset: Preset, today: Day): { from: Day; until: Day } {
  const firstOfMonth = `${today.slice(0, 8)}01`;
  switch (preset) {
    case "today":
      return { from: today, until: today };
    case "7-days":
      return { from: addDays(today, -6), until: today };
    case "30-days":
      return { from: addDays(today, -29), until: today };
    case "this-month":
      return { from: firstOfMonth, until: today };
    case "last-month": {
      const last = addDays(firstOfMonth, -1);
      return { from: `${last.slice(0, 8)}01`, until: last };
    }
  }
}

/** Beside the periods of the stats, all of the book. */
export const BOOK_PERIODS = { ...PRESETS, "all-time": "All time" } as const;
type BookPeriod = keyof typeof BOOK_PERIODS;

/** Earlier than any order. */
const FIRST_DAY = "2020-01-01";

const bookSearch = z.object({
  period: nameIn<BookPeriod>(BOOK_PERIODS),
  fromDay: day,
  untilDay: day,
  filter: z.enum(BOOK_FILTERS).optional().catch(undefined),
});
export type BookSearch = z.output<typeof bookSearch>;

export function readBookSearch(search: Record<string, unknown>): BookSearch {
  return bookSearch.parse(search);
}

/** The chosen days. @param today in India */
export function bookPeriodOf(
  { period, fromDay, untilDay }: BookSearch,
  today: Day,
): Omit<Period, "preset"> & { preset?: BookPeriod } {
  if (period !== "all-time") return periodOf({ period, fromDay, untilDay }, today);
  if (fromDay && untilDay) return { from: fromDay, until: untilDay };
  return { from: FIRST_DAY, until: today, preset: period };
}

/** Without a day: today. `ownShop` is the shop that is closed while the header shows all. */
const closingSearch = z.object({ day, ownShop: z.string().optional().catch(undefined) });

export function readClosingSearch(search: Record<string, unknown>): z.output<typeof closingSearch> {
  return closingSearch.parse(search);
}
