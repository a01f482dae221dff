import { BOOK_FILTERS, type BookFilter } from "#shared/schemas/book.ts";
import { isDay } from "../../lib/days.ts";
import { PRESETS, type Preset } from "../stats/stats-period.ts";

/** The state of the screen, kept in the URL. */
export interface BookSearch {
  period?: Preset;
  /** A custom period, both days included. */
  fromDay?: string;
  untilDay?: string;
  filter?: BookFilter;
}

export function readBookSearch(search: Record<string, unknown>): BookSearch {
  const { period, fromDay, untilDay, filter } = search;
  const isFree = isDay(fromDay) && isDay(untilDay);
  return {
    period: !isFree && typeof period === "string" && period in PRESETS ? (period as Preset) : undefined,
    fromDay: isFree ? fromDay : undefined,
    untilDay: isFree ? untilDay : undefined,
    filter: BOOK_FILTERS.find((name) => name === filter),
  };
}
