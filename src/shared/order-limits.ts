export const MAX_PAGES = 100_000;
export const MAX_COPIES = 1000;
export const MAX_FILES = 50;
export const TOO_MANY_FILES = `At most ${MAX_FILES} files fit in one order`;
/** How many jobs an order may consist of. */
export const MAX_JOBS = 20;
/** Longest text with the pages of one file. */
export const MAX_RANGES_TEXT = 2000;
/** How many ranges of pages an order may choose, and its jobs name, together: those of 4,000 pages of which every other has colour. */
export const MAX_RANGES = 2000;
/** Longest reason or note of staff with what they do to an order, such as a cancellation or a refund. */
export const MAX_STAFF_REASON = 500;
/** Longest note that staff keep with an order. */
export const MAX_ORDER_NOTE = 2000;
/** Longest message to the shop. */
export const MAX_MESSAGE = 2000;
/** How long the store keeps uploads that nobody orders. */
export const UNORDERED_HOURS = 24;
