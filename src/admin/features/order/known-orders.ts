import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { Movable } from "./movable.ts";
import type { BoardAnswer, OrderDetail, OrderPage } from "./order-answers.ts";
import { BOARD_KEY, ORDER_KEY, PAGE_KEY } from "./queue-keys.ts";

/** Finds an order among what is on the screen, as the person sees it now. */
export function useKnownOrders(): (orderId: string | undefined) => Movable | undefined {
  const queryClient = useQueryClient();

  /** What was looked at earlier is kept as well, but as it was then. */
  function shown<Answer>(queryKey: QueryKey): Answer[] {
    return queryClient.getQueriesData<Answer>({ queryKey, type: "active" }).flatMap(([, data]) => data ?? []);
  }

  return (orderId) =>
    [
      ...shown<OrderDetail>(ORDER_KEY),
      ...shown<BoardAnswer>(BOARD_KEY).flatMap(({ columns }) => columns.flatMap(({ cards }) => cards)),
      ...shown<{ pages: OrderPage[] }>(PAGE_KEY).flatMap(({ pages }) => pages.flatMap(({ rows }) => rows)),
    ].find(({ id }) => id === orderId);
}
