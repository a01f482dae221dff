import { indianDay } from "#shared/indian-time.ts";
import { serverNow } from "./clock.ts";

/** The shops' time, whatever the zone of the computer. */
const timeZone = "Asia/Kolkata";
const MOMENT = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short", timeZone });
const CLOCK = new Intl.DateTimeFormat("en-IN", { timeStyle: "short", timeZone });
const DAY = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeZone });

/** Date and time in India, such as `21 Nov 2026, 4:05 pm`. */
export function momentText(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** The date in India, such as `21 Nov 2026`. */
export function dateText(iso: string): string {
  return DAY.format(new Date(iso));
}

/** Only the time if it was today. */
export function recentText(iso: string, now = new Date(serverNow())): string {
  const date = new Date(iso);
  return indianDay(date) === indianDay(now) ? CLOCK.format(date) : dateText(iso);
}
