import { indianClock } from "./indian-time.ts";

/** How long a visit at a shop's counter lasts from its beginning; then everything personal of it is deleted. */
export const VISIT_HOURS = 2;
/** How long the code of yesterday still opens a visit after midnight in India. */
export const CODE_GRACE_MINUTES = 30;
/** Random characters of the day's code: 48 bits, which nobody guesses. */
export const CODE_LENGTH = 8;
/** Longest name of a visitor, which the shop calls out. */
export const MAX_VISITOR_NAME = 60;

const MB = 1024 * 1024;
/**
 * Bytes of visitors' files that the store holds at a time: of one visit, of all visits from one address (a shop's phones may
 * share one), with one code, and at one shop. A new code has room of its own until the shop's is used up.
 */
export const VISIT_BYTES = { visit: 200 * MB, address: 2048 * MB, code: 2048 * MB, shop: 4096 * MB } as const;

/**
 * Whether a shop would print an order of a visit only after its files are deleted, and then what to tell the visitor; null where
 * it is in time. Times are ISO 8601 in UTC.
 */
export function lateAtCounter(
  shopName: string,
  { promisedAt, endsAt, now }: { promisedAt: string | null; endsAt: string; now: Date },
): string | null {
  if (promisedAt === null || promisedAt <= endsAt) return null;
  const clock = (moment: string) => indianClock(Date.parse(moment), now.getTime());
  const isSoon = Date.parse(promisedAt) - now.getTime() <= VISIT_HOURS * 60 * 60 * 1000;
  const again = isSoon ? `, or scan the code again after ${clock(endsAt)}` : "";
  return `${shopName} can print this by ${clock(promisedAt)}, but your visit ends at ${clock(endsAt)} and your files are deleted then. Please log in and order with your account${again}`;
}

/** The path of a shop's counter; `?code=` follows in the QR code. */
export function counterPath(shopId: string): string {
  return `/at/${encodeURIComponent(shopId)}`;
}
