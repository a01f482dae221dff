import { MINUTE_MS } from "./durations.ts";
import { addDays, type Day, indianDay, startOfDay, weekdayOf } from "./indian-time.ts";
import { DAY_MINUTES, type Interval, type Week } from "./opening-hours.ts";

const NOON = 12 * 60;
/** Promises are made in steps of this many minutes. */
const STEP_MINUTES = 5;
/** Nobody can say what will be ready later than this. */
const HORIZON_DAYS = 60;

/** When a shop works. */
export interface Schedule {
  week: Week;
  /** Days on which it is closed whatever the week says. */
  holidays: readonly Day[];
  /** It closed early and works again from then on; ISO 8601 in UTC. */
  closedUntil: string | null;
}

/** How fast a shop works. */
export interface Speed {
  pagesPerMinute: number;
  /** Added for each order. */
  handlingMinutes: number;
}
export const DEFAULT_SPEED: Speed = { pagesPerMinute: 20, handlingMinutes: 5 };

/** Printed pages and orders. */
export interface Work {
  pages: number;
  orders: number;
}

export function workMinutes({ pages, orders }: Work, { pagesPerMinute, handlingMinutes }: Speed): number {
  return Math.max(1, Math.ceil(pages / pagesPerMinute) + orders * handlingMinutes);
}

/**
 * When work of so many minutes is done that begins now and goes on while the shop is open, rounded up to five minutes within
 * its hours. Null for a shop without hours, and for work that takes longer than sixty days.
 */
export function promisedTime(schedule: Schedule, minutes: number, now: Date): Date | null {
  let left = minutes * MINUTE_MS;
  const begin = Math.max(roundUp(now.getTime(), MINUTE_MS), reopening(schedule));
  for (const [from, until] of openings(schedule, begin)) {
    const start = Math.max(from, begin);
    if (left > until - start) {
      left -= until - start;
      continue;
    }
    return new Date(Math.min(roundUp(start + left, STEP_MINUTES * MINUTE_MS), until));
  }
  return null;
}

/** Whether the shop works at this moment by its hours. */
export function isWorking(schedule: Schedule, now: Date): boolean {
  const at = now.getTime();
  if (at < reopening(schedule)) return false;
  for (const [from] of openings(schedule, at)) if (from <= at) return true;
  return false;
}

/**
 * The first opening of a later day. Hours that go over midnight belong to the day on which they began, also in the part after it.
 * Null if there is none.
 */
export function nextDayOpening({ week, holidays }: Schedule, now: Date): Date | null {
  let today = indianDay(now);
  let begun = today;
  let before: number | null = null;
  for (const [from, until] of openings({ week, holidays, closedUntil: null }, startOf(addDays(today, -1)))) {
    if (from !== before) begun = indianDay(new Date(from));
    if (begun > today) return new Date(from);
    if (from <= now.getTime() && now.getTime() < until) today = begun;
    before = until;
  }
  return null;
}

/** When a shop that closed early opens again: a day until which it closed may have become a holiday since. */
export function reopensAt(schedule: Schedule): string | null {
  if (schedule.closedUntil === null) return null;
  const moment = Date.parse(schedule.closedUntil);
  const [from = moment] = openings(schedule, moment).next().value ?? [];
  return new Date(Math.max(from, moment)).toISOString();
}

/** When a shop works again that closed early. */
function reopening({ closedUntil }: Schedule): number {
  return closedUntil === null ? Number.NEGATIVE_INFINITY : Date.parse(closedUntil);
}

/**
 * The times at which the shop is open from this moment's day on, in order. Hours that begin at midnight, follow on from the
 * evening before and end by noon belong to the day before: its holiday closes them, their own day's does not.
 */
function* openings({ week, holidays }: Schedule, moment: number): Generator<Interval> {
  const first = indianDay(new Date(moment));
  for (let count = 0; count <= HORIZON_DAYS; count++) {
    const day = addDays(first, count);
    const dayBefore = addDays(day, -1);
    const [begun = 0, ended] = week[weekdayOf(dayBefore)]?.at(-1) ?? [];
    const followsEvening = begun > 0 && ended === DAY_MINUTES;
    const midnight = startOf(day);
    for (const [from, until] of week[weekdayOf(day)] ?? []) {
      const isNight = followsEvening && from === 0 && until <= NOON;
      if (holidays.includes(isNight ? dayBefore : day)) continue;
      const end = midnight + until * MINUTE_MS;
      if (end > moment) yield [midnight + from * MINUTE_MS, end];
    }
  }
}

function startOf(day: Day): number {
  return Date.parse(startOfDay(day));
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
