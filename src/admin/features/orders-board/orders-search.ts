import { z } from "zod";
import { OPEN_STATES, ORDER_STATES } from "#shared/order-states.ts";
import { type BoardFilter, boardFilter, type OrderPageRequest } from "#shared/schemas/board.ts";
import { isDay, momentsOf } from "../../lib/times.ts";

export type OrdersView = "board" | "table";

const day = z.string().refine(isDay);
const { unpaid, fulfilment, paper, colour, onHold, due } = boardFilter.shape;

/** The orders screen's state, kept in the URL; whatever is not valid there is left out. */
const ordersSearch = z.object({
  /** Default: the board. */
  view: z.literal("table").optional().catch(undefined),
  /** The column that a phone shows of the board. */
  column: z.enum(OPEN_STATES).optional().catch(undefined),
  /** The open order. */
  order: z.string().min(1).optional().catch(undefined),
  search: z.string().regex(/\S/).optional().catch(undefined),
  /** Default: open orders. */
  state: z
    .enum(["all", "done", ...ORDER_STATES])
    .optional()
    .catch(undefined),
  /** Only orders with an unanswered report of a printing error. */
  reported: z.literal(true).optional().catch(undefined),
  /** Days as in date fields, `2026-11-21`. */
  fromDay: day.optional().catch(undefined),
  untilDay: day.optional().catch(undefined),
  /** Default: oldest first. */
  sort: z.literal("newest").optional().catch(undefined),
  unpaid: unpaid.catch(undefined),
  fulfilment: fulfilment.catch(undefined),
  paper: paper.catch(undefined),
  colour: colour.catch(undefined),
  onHold: onHold.catch(undefined),
  due: due.catch(undefined),
});
export type OrdersSearch = z.output<typeof ordersSearch>;

export function readOrdersSearch(search: Record<string, unknown>): OrdersSearch {
  return ordersSearch.parse(search);
}

/** Without the filters that only the table has. */
export const NO_TABLE_FILTERS = {
  search: undefined,
  state: undefined,
  reported: undefined,
  fromDay: undefined,
  untilDay: undefined,
  sort: undefined,
} satisfies OrdersSearch;

/** The filters that board and table share. */
export function boardFilterOf(shown: OrdersSearch): BoardFilter {
  return boardFilter.parse(shown);
}

/** The server's input: both days whole, in India. */
export function pageRequest(shown: OrdersSearch, shopId: string | undefined): OrderPageRequest {
  const { search, state, reported, sort } = shown;
  return {
    ...boardFilterOf(shown),
    shopId,
    search,
    state: state ?? "open",
    reported,
    sort: sort ?? "oldest",
    ...momentsOf(shown),
  };
}
