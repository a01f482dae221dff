import { BOOK_FILTERS, type BookFilter } from "#shared/schemas/book.ts";
import { isDay } from "../../lib/times.ts";
import { isOneOf, type Period, PRESETS, periodOf } from "../stats/stats-period.ts";

/** Beside the periods of the stats, all of the book. */
export const BOOK_PERIODS = { ...PRESETS, "all-time": "All time" } as const;
type BookPeriod = keyof typeof BOOK_PERIODS;

/** Earlier than any order. */
const FIRST_DAY = "2020-01-01";

/** The state of the screen, kept in the URL. */
export interface BookSearch {
  period?: BookPeriod;
  /** A custom period, both days included. */
  fromDay?: string;
  untilDay?: string;
  filter?: BookFilter;
}

export function readBookSearch(search: Record<string, unknown>): BookSearch {
  const { period, fromDay, untilDay, filter } = search;
  const isFree = isDay(fromDay) && isDay(untilDay);
  return {
    period: !isFree && isOneOf(BOOK_PERIODS, period) ? period : undefined,
    fromDay: isFree ? fromDay : undefined,
    untilDay: isFree ? untilDay : undefined,
    filter: BOOK_FILTERS.find((name) => name === filter),
  };
}

/** The chosen days. @param today in India */
export function bookPeriodOf(
  { period, fromDay, untilDay }: BookSearch,
  today: string,
): Omit<Period, "preset"> & { preset?: BookPeriod } {
  if (period === "all-time") return { from: FIRST_DAY, until: today, preset: period };
  return periodOf({ period, fromDay, untilDay }, today);
}
