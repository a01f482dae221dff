/** How far the report of a printing error is: `ordered` once the student has ordered the reprint that was accepted. */
export const REPRINT_STATES = ["reported", "accepted", "declined", "ordered"] as const;
export type ReprintState = (typeof REPRINT_STATES)[number];

/** So long after its delivery an error of an order can be reported. */
export const REPORT_DAYS = 3;
export const MAX_REPORT_PHOTOS = 5;

const REPORT_MS = REPORT_DAYS * 24 * 60 * 60 * 1000;

/** Until when errors can be reported of what was delivered then; both ISO 8601 in UTC. */
export function reportableUntil(deliveredAt: string): string {
  return new Date(Date.parse(deliveredAt) + REPORT_MS).toISOString();
}
