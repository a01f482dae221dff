import { ORDER_STATES, type OrderState } from "#shared/order-states.ts";
import type { OrderPageRequest } from "#shared/schemas/board.ts";
import { isDay } from "../../lib/days.ts";

export type OrdersView = "board" | "table";
export type StateFilter = OrderState | "open" | "all";

/** The orders screen's state, kept in the URL. Days as in date fields, `2026-11-21`. */
export interface OrdersSearch {
  /** Default: the board. */
  view?: "table";
  /** The open order. */
  order?: string;
  search?: string;
  /** Default: open orders. */
  state?: Exclude<StateFilter, "open">;
  /** Only orders with an unanswered report of a printing error. */
  reported?: true;
  fromDay?: string;
  untilDay?: string;
  /** Default: oldest first. */
  sort?: "newest";
}

const STATES: readonly unknown[] = ["all", ...ORDER_STATES];

export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  const { view, order, search: text, state, reported, fromDay, untilDay, sort } = search;
  return {
    view: view === "table" ? view : undefined,
    order: typeof order === "string" && order ? order : undefined,
    search: typeof text === "string" && text.trim() ? text : undefined,
    state: STATES.includes(state) ? (state as OrdersSearch["state"]) : undefined,
    reported: reported === true ? reported : undefined,
    fromDay: isDay(fromDay) ? fromDay : undefined,
    untilDay: isDay(untilDay) ? untilDay : undefined,
    sort: sort === "newest" ? sort : undefined,
  };
}

/** The server's input: both days whole, in local time. */
export function pageRequest(
  { search, state, reported, fromDay, untilDay, sort }: OrdersSearch,
  shopId: string | undefined,
): OrderPageRequest {
  const until = untilDay ? new Date(`${untilDay}T00:00`) : undefined;
  until?.setDate(until.getDate() + 1);
  return {
    shopId,
    search,
    state: state ?? "open",
    reported,
    sort: sort ?? "oldest",
    from: fromDay && new Date(`${fromDay}T00:00`).toISOString(),
    until: until?.toISOString(),
  };
}
