import { ORDER_STATES, type OrderState } from "#shared/order-states.ts";
import type { OrderPageRequest } from "#shared/schemas/queue.ts";
import { isDay } from "../../lib/days.ts";

export type OrdersView = "board" | "table";
export type StateFilter = OrderState | "open" | "all";

/** What the orders' screen shows; it stands in the address. Days as date fields write them, `2026-11-21`. */
export interface OrdersSearch {
  /** The board, without it. */
  view?: "table";
  /** The order that is open beside the list. */
  order?: string;
  search?: string;
  /** Open orders, without it. */
  state?: Exclude<StateFilter, "open">;
  /** Only orders of which a printing error waits for an answer. */
  reported?: true;
  fromDay?: string;
  untilDay?: string;
  /** The oldest first, without it. */
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

/** What the server is asked for: both days whole, in this place's time. */
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
