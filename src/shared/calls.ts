/** How many calls one request of the React apps may carry; without a limit few bytes could cause much work. */
export const MAX_BATCH = 20;
/** A header of requests that a page makes by itself, without its user; they do not extend the session. */
export const BACKGROUND_HEADER = "x-background";
/** A header with the id of the user whom a page belongs to; the session of anybody else then counts as none. */
export const USER_HEADER = "x-user";
/** A header of a refused print pack with the ids of the orders that cannot be printed, joined by commas. */
export const REFUSED_ORDERS_HEADER = "x-refused-orders";
