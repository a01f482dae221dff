const MOMENT = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short" });
const CLOCK = new Intl.DateTimeFormat("en-IN", { timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium" });

/** Local date and time, such as `21 Nov 2026, 4:05 pm`. */
export function momentText(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** Only the time if it was today. */
export function recentText(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return date.toDateString() === now.toDateString() ? CLOCK.format(date) : DAY.format(date);
}
