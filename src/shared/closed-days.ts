import { addDays, type Day, indianClock, indianDay, weekdayOf } from "./indian-time.ts";
import { parseOpeningHours, WEEKDAYS } from "./opening-hours.ts";
import { reopensAt } from "./promised-time.ts";

/** When a shop does not work, in words that stay true: they say nothing of the moment at which they are read. */
interface Closings {
  /** Days of the week on which it is always closed, such as `Sun`, and its next holidays, such as `2026-12-25`. */
  closedOn: string[];
  /** It closed early and works again from then on; ISO 8601 in UTC. May be past. */
  closedUntil: string | null;
}

/** How many holidays are listed; the ones after them come with the next change of any shop. */
const MOST_HOLIDAYS = 12;

/** @param shop its hours as stored, and its holidays in order */
export function closingsOf(
  shop: { openingHours: string; holidays: readonly Day[]; closedUntil: string | null },
  now: Date,
): Closings {
  const week = parseOpeningHours(shop.openingHours);
  const hasHours = shop.openingHours !== "" && typeof week !== "string";
  const weekdays = hasHours ? WEEKDAYS.filter((_, day) => week[day]?.length === 0) : [];
  const closedUntil = hasHours ? reopensAt({ ...shop, week }) : shop.closedUntil;
  const today = indianDay(now);
  const holidays = shop.holidays.filter((day) => day >= today).slice(0, MOST_HOLIDAYS);
  return { closedOn: [...weekdays, ...holidays], closedUntil };
}

/** What people should know who need their prints today or tomorrow; null where there is nothing. */
export function closingText({ closedOn, closedUntil }: Closings, now: Date): string | null {
  if (closedUntil !== null && Date.parse(closedUntil) > now.getTime())
    return `Closed until ${indianClock(Date.parse(closedUntil), now.getTime())}`;
  const today = indianDay(now);
  const isClosed = (day: Day) => closedOn.includes(day) || closedOn.includes(WEEKDAYS[weekdayOf(day)] ?? "");
  if (isClosed(today)) return "Closed today";
  return isClosed(addDays(today, 1)) ? "Closed tomorrow" : null;
}
