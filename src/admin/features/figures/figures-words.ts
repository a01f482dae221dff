import type { Day } from "#shared/indian-days.ts";

const SHORT = new Intl.DateTimeFormat("en-IN", { day: "numeric", month: "short", timeZone: "UTC" });
const LONG = new Intl.DateTimeFormat("en-IN", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Such as `21 Nov`. */
export function shortDay(day: Day): string {
  return SHORT.format(Date.parse(day));
}

/** Such as `Sat, 21 Nov 2026`. */
export function longDay(day: Day): string {
  return LONG.format(Date.parse(day));
}
