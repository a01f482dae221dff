import type { OrderState } from "#shared/order-states.ts";

export const STATE_NAMES: Record<OrderState, string> = {
  placed: "Placed",
  printing: "Printing",
  printed: "Printed",
  dispatched: "Dispatched",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** What staff do to bring an order into a state. Nothing brings one back to the first. */
export const MOVE_NAMES: Record<OrderState, string> = {
  placed: "",
  printing: "Start printing",
  printed: "Mark printed",
  dispatched: "Dispatch",
  delivered: "Mark delivered",
  cancelled: "Cancel",
};

const COUNT = new Intl.NumberFormat("en-IN");

/** Such as `1 page` and `1,200 copies`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** Such as `32 pages × 2`. */
export function jobText({ pages, copies }: { pages: number; copies: number }): string {
  return copies === 1 ? counted(pages, "page") : `${counted(pages, "page")} × ${COUNT.format(copies)}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something has waited, such as `4 min`, `1 h 20 min` and `2 d`. */
export function waitText(ms: number): string {
  if (ms < MINUTE) return "just now";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d`;
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const hours = `${Math.floor(ms / HOUR)} h`;
  return minutes === 0 ? hours : `${hours} ${minutes} min`;
}
