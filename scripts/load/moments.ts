import type { Dice } from "./dice.ts";
import type { LoadPlan } from "./plan.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const INDIA_MS = 330 * MINUTE_MS;

/** How busy shops are by the hour in India, from midnight on, and by the weekday, from Sunday on. */
const BY_HOUR = [2, 1, 0, 0, 0, 0, 1, 3, 8, 12, 11, 10, 8, 8, 9, 10, 11, 12, 11, 10, 9, 8, 6, 4];
const BY_WEEKDAY = [4, 10, 10, 10, 10, 9, 6];
const BUSIEST = Math.max(...BY_HOUR) * Math.max(...BY_WEEKDAY);

/** When the orders were placed, in ms, the oldest first: more by day than by night, and few on Sundays. */
export function placedMoments(dice: Dice, { orders, days, until }: LoadPlan): number[] {
  const end = until.getTime();
  const moments: number[] = [];
  while (moments.length < orders) {
    const at = end - dice.int(0, days * DAY_MS - 1);
    if (dice.int(1, BUSIEST) <= businessAt(at)) moments.push(at);
  }
  return moments.sort((one, other) => one - other);
}

function businessAt(at: number): number {
  const inIndia = new Date(at + INDIA_MS);
  return (BY_HOUR[inIndia.getUTCHours()] ?? 0) * (BY_WEEKDAY[inIndia.getUTCDay()] ?? 0);
}
