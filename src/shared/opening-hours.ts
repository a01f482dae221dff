/** Minutes since midnight in India, from and until. */
export type Interval = readonly [from: number, until: number];
/** The intervals of each day in order, Monday first; a day without any is closed. */
export type Week = readonly (readonly Interval[])[];

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const DAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const DAY_MINUTES = 24 * 60;

export const OPENING_HOURS_EXAMPLE = "Mon-Sat 9:00-20:00; Sun 10:00-14:00";
const EXAMPLE = `Write the hours like “${OPENING_HOURS_EXAMPLE}”`;
const ONE_HALF = "Write am or pm at both times, such as 2 pm-6 pm, or use 24-hour times: 14:00-18:00";
const BACKWARDS =
  "Each time must end after it begins. Write 17:00 for 5 pm, and after midnight the next day: Mon 18:00-24:00; Tue 0:00-2:00";

/**
 * Parses hours as people type them: groups of days separated by semicolons, each with its times separated by commas, such
 * as `Mon-Fri 9-13, 14:30-20:00; Sat 10 am - 2 pm`. Days that are not named are closed, and so are those named as closed,
 * whatever else is said of them. Returns what is wrong as a string.
 */
export function parseOpeningHours(text: string): Week | string {
  const week: Interval[][] = WEEKDAYS.map(() => []);
  const closed = new Set<number>();
  for (const group of text.toLowerCase().replace(/[–—]/g, "-").split(/[;\n]/)) {
    if (group.trim() === "") continue;
    const [, dayText = "", timeText = ""] = /^\s*([a-z][a-z,\s-]*?)\s*(\d.*|closed)\s*$/.exec(group) ?? [];
    const days = parseDays(dayText);
    const intervals = timeText === "closed" ? [] : parseIntervals(timeText);
    if (!days || !intervals) return EXAMPLE;
    if (typeof intervals === "string") return intervals;
    if (intervals.some(([from, until]) => until <= from)) return BACKWARDS;
    for (const day of days) {
      week[day]?.push(...intervals);
      if (timeText === "closed") closed.add(day);
    }
  }
  for (const day of closed) week[day] = [];
  for (const [day, intervals] of week.entries()) {
    intervals.sort(([one], [other]) => one - other);
    const overlap = intervals.some(([from], at) => from < (intervals[at - 1]?.[1] ?? 0));
    if (overlap) return `The hours of ${DAY_NAMES[day]} overlap`;
  }
  return week;
}

/** The one way in which hours are stored and shown, such as `Mon–Sat 9:00–20:00; Sun 10:00–14:00`. */
export function formatOpeningHours(week: Week): string {
  const groups: { first: number; last: number; hours: string }[] = [];
  for (const [day, intervals] of week.entries()) {
    const hours = intervals.map((interval) => interval.map(formatTime).join("–")).join(", ");
    const group = groups.at(-1);
    if (group?.hours === hours) group.last = day;
    else groups.push({ first: day, last: day, hours });
  }
  return groups
    .filter(({ hours }) => hours !== "")
    .map(({ first, last, hours }) => `${daysText(first, last)} ${hours}`)
    .join("; ");
}

function daysText(first: number, last: number): string {
  if (first === 0 && last === 6) return "Daily";
  return first === last ? `${WEEKDAYS[first]}` : `${WEEKDAYS[first]}–${WEEKDAYS[last]}`;
}

function formatTime(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Day numbers of `mon-wed, fri` or `daily`; null if it is not understood. */
function parseDays(text: string): number[] | null {
  if (/^(daily|every day|all days)$/.test(text)) return [...WEEKDAYS.keys()];
  const days: number[] = [];
  for (const part of text.split(",")) {
    const [first, last, ...rest] = part.split("-").map(dayNumber);
    if (first === undefined || first < 0 || last === -1 || rest.length > 0) return null;
    // Sat-Mon goes over the end of the week.
    const count = (((last ?? first) - first + 7) % 7) + 1;
    for (let step = 0; step < count; step++) days.push((first + step) % 7);
  }
  return days;
}

function dayNumber(text: string): number {
  const name = text.trim();
  if (name.length < 3) return -1;
  return DAY_NAMES.findIndex((day) => day.toLowerCase().startsWith(name === "weds" ? "wed" : name));
}

/** Null if they are not understood; a string if it is not clear which half of the day one begins in. */
function parseIntervals(text: string): Interval[] | string | null {
  const intervals: Interval[] = [];
  for (const part of text.split(",")) {
    const [begin = "", end = "", ...rest] = part.split("-");
    const [from, until] = [parseTime(begin), parseTime(end)];
    if (from === null || until === null || rest.length > 0) return null;
    // 2-6 pm is hardly from 2 in the morning; 9-5 pm can be nothing else.
    const half = /[ap]m/.test(begin) ? null : /[ap]m/.exec(end)?.[0];
    const inSameHalf = half ? parseTime(begin + half) : null;
    if (inSameHalf !== null && inSameHalf !== from && inSameHalf < until) return ONE_HALF;
    intervals.push([from, until]);
  }
  return intervals;
}

/** Minutes of `9`, `9:30`, `21.00`, `24:00` or `9 pm`; null for anything else. */
function parseTime(text: string): number | null {
  const match = /^\s*(\d{1,2})(?:[:.](\d\d))?\s*(am|pm)?\s*$/.exec(text);
  if (!match) return null;
  const [, hourText, minuteText, half] = match;
  let hours = Number(hourText);
  const minutes = Number(minuteText ?? 0);
  if (minutes > 59) return null;
  if (half) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half === "pm" ? 12 : 0);
  }
  const total = hours * 60 + minutes;
  return total <= DAY_MINUTES ? total : null;
}
