const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a value of the address is a day as date fields write them, `2026-11-21`. */
export function isDay(value: unknown): value is string {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value));
}
