import { HOUR_MS, MINUTE_MS } from "./durations.ts";
import { indianClock } from "./indian-time.ts";

/** How long a visit at a shop's counter lasts from its beginning; then everything personal of it is deleted. */
export const VISIT_HOURS = 2;
/** How long the code of yesterday still opens a visit after midnight in India. */
export const CODE_GRACE_MINUTES = 30;
/** How long before its end a visit must have its prints: they still have to be handed over. */
const HAND_OVER_MINUTES = 10;
/** Random characters of the day's code: 48 bits, which nobody guesses. */
export const CODE_LENGTH = 8;
/** Longest name of a visitor, which the shop calls out. */
export const MAX_VISITOR_NAME = 60;

const MB = 1024 * 1024;
/**
 * Bytes of visitors' files that the store holds at a time: of one visit, of all visits from one address (a shop's phones may
 * share one), with one code, and at one shop. A new code has room of its own until the shop's is used up; what clerks enter
 * counts as one code.
 */
export const VISIT_BYTES = { visit: 200 * MB, address: 2048 * MB, code: 2048 * MB, shop: 4096 * MB } as const;

/** When a visit ends; ISO 8601 in UTC, as all moments here. */
interface VisitEnd {
  endsAt: string;
  now: Date;
}

/** Why a visit takes no more orders: it ends before one could be handed over. Null while it takes them. */
export function endingReason({ endsAt, now }: VisitEnd): string | null {
  if (!isTooLate(now.getTime(), endsAt)) return null;
  return `Your visit ends at ${clock(endsAt, now)} and your files are deleted then. Please scan the code again after that, or log in and order with your account`;
}

interface PromisedOrder extends VisitEnd {
  /** Null where nobody can say. */
  promisedAt: string | null;
}

/**
 * Whether a shop would print an order of a visit only when its files are deleted, or too shortly before, and then what to tell
 * the visitor; null where it is in time.
 */
export function lateAtCounter(shopName: string, { promisedAt, endsAt, now }: PromisedOrder): string | null {
  if (promisedAt === null || !isTooLate(Date.parse(promisedAt), endsAt)) return null;
  const nextEndsAt = new Date(now.getTime() + VISIT_HOURS * HOUR_MS).toISOString();
  const again = isTooLate(Date.parse(promisedAt), nextEndsAt)
    ? ""
    : `, or scan the code again after ${clock(endsAt, now)}`;
  return `${shopName} can print this by ${clock(promisedAt, now)}, but your visit ends at ${clock(endsAt, now)} and your files are deleted then. Please log in and order with your account${again}`;
}

/** The same for a clerk, who may print it sooner than promised. */
export function lateWalkIn({ promisedAt, endsAt, now }: PromisedOrder): string | null {
  if (promisedAt === null || !isTooLate(Date.parse(promisedAt), endsAt)) return null;
  return `This would be ready by ${clock(promisedAt, now)}, but its files are deleted at ${clock(endsAt, now)}, ${VISIT_HOURS} hours after it is entered. Enter it only if you print it before that`;
}

function isTooLate(readyAt: number, endsAt: string): boolean {
  return readyAt + HAND_OVER_MINUTES * MINUTE_MS > Date.parse(endsAt);
}

function clock(moment: string, now: Date): string {
  return indianClock(Date.parse(moment), now.getTime());
}

/** The path of a shop's counter; `?code=` follows in the QR code. */
export function counterPath(shopId: string): string {
  return `/at/${encodeURIComponent(shopId)}`;
}
