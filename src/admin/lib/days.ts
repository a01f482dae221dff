const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a URL value is a day as in date fields, `2026-11-21`. */
export function isDay(value: unknown): value is string {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value));
}
