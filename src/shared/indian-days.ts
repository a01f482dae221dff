/** A day as people in India count it, such as `2026-11-21`; sorts as text. */
export type Day = string;

const DAY_MS = 24 * 60 * 60 * 1000;
/** India is ahead of UTC by five and a half hours, all year. */
const INDIA_MS = 5.5 * 60 * 60 * 1000;

/** The day in India at this moment, wherever the program runs. */
export function indianDay(moment: Date | string): Day {
  return toDay(new Date(moment).getTime() + INDIA_MS);
}

/** So many days later; earlier where `count` is negative. */
export function addDays(day: Day, count: number): Day {
  return toDay(Date.parse(day) + count * DAY_MS);
}

/** Every day from the first to the last, both included. */
export function daysBetween(first: Day, last: Day): Day[] {
  return Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));
}

/** How many days there are from the first to the last, both included; 0 or less where they are the wrong way round. */
export function countDays(first: Day, last: Day): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

function toDay(utcMs: number): Day {
  return new Date(utcMs).toISOString().slice(0, 10);
}
