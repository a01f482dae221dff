import { addDays, type Day, indianClock, indianDate, indianDay, startOfDay } from "#shared/indian-time.ts";
import { serverNow } from "./clock.ts";

/** Only the time if it was today, otherwise only the date. */
export function recentText(iso: string, now = new Date(serverNow())): string {
  if (indianDay(iso) !== indianDay(now)) return indianDate(iso);
  return indianClock(Date.parse(iso), now.getTime());
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a URL value is a day as in date fields, `2026-11-21`. */
export function isDay(value: unknown): value is Day {
  return typeof value === "string" && ISO_DAY.test(value) && !Number.isNaN(Date.parse(value));
}

/** The moments between which these days lie, both whole, in India. */
export function momentsOf({ fromDay, untilDay }: { fromDay?: Day; untilDay?: Day }): {
  from?: string;
  until?: string;
} {
  return {
    from: fromDay && startOfDay(fromDay),
    until: untilDay && startOfDay(addDays(untilDay, 1)),
  };
}

const SHORT = new Intl.DateTimeFormat("en-IN", { day: "numeric", month: "short", timeZone: "UTC" });
const WEEKDAY = new Intl.DateTimeFormat("en-IN", { weekday: "short", timeZone: "UTC" });

/** Such as `21 Nov`. */
export function shortDay(day: Day): string {
  return SHORT.format(Date.parse(day));
}

/** Such as `Sat, 21 Nov 2026`. */
export function longDay(day: Day): string {
  return `${WEEKDAY.format(Date.parse(day))}, ${shortDay(day)} ${day.slice(0, 4)}`;
}
