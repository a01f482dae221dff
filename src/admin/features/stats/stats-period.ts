import { addDays, type Day } from "#shared/indian-time.ts";
import { isDay } from "../../lib/times.ts";
import { MEASURES, type Measure } from "./measures.ts";

/** Periods relative to today. */
export const PRESETS = {
  today: "Today",
  "7-days": "7 days",
  "30-days": "30 days",
  "this-month": "This month",
  "last-month": "Last month",
} as const;
type Preset = keyof typeof PRESETS;

/** The stats screen's state, kept in the URL. Default: revenue of the last 30 days. */
export interface StatsSearch {
  period?: Preset;
  /** A custom period, both days included. */
  fromDay?: Day;
  untilDay?: Day;
  measure?: Measure;
}

export function readStatsSearch(search: Record<string, unknown>): StatsSearch {
  const { period, fromDay, untilDay, measure } = search;
  const isFree = isDay(fromDay) && isDay(untilDay);
  return {
    period: !isFree && isOneOf(PRESETS, period) ? period : undefined,
    fromDay: isFree ? fromDay : undefined,
    untilDay: isFree ? untilDay : undefined,
    measure: isOneOf(MEASURES, measure) ? measure : undefined,
  };
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

/** The days of loaded stats, which may be the previous period's. */
export function daysOf(days: { day: Day }[]): Period {
  const [first, last] = [days.at(0), days.at(-1)];
  return { from: first?.day ?? "", until: last?.day ?? "" };
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

/** Whether the value is the name of one of these, as in a URL that somebody may have typed. */
export function isOneOf<Names extends object>(names: Names, value: unknown): value is keyof Names {
  return typeof value === "string" && Object.hasOwn(names, value);
}
