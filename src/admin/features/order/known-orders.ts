import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "#client/lib/trpc.ts";
import type { Movable } from "./movable.ts";
import type { Board, OrderPage } from "./order-answers.ts";
import { BOARD_KEY, PAGE_KEY } from "./queue-keys.ts";

/** Finds an order among what the screen has loaded, as the person sees it now. */
export function useKnownOrders(): (orderId: string | undefined) => Movable | undefined {
  const queryClient = useQueryClient();
  const { queue } = trpc.useUtils();

  return (orderId) => {
    if (!orderId) return undefined;
    const boards = queryClient.getQueriesData<Board>({ queryKey: BOARD_KEY });
    const tables = queryClient.getQueriesData<{ pages: OrderPage[] }>({ queryKey: PAGE_KEY });
    const cards = [
      ...boards.flatMap(([, board]) => board?.columns.flatMap((column) => column.cards) ?? []),
      ...tables.flatMap(([, table]) => table?.pages.flatMap((page) => page.rows) ?? []),
    ];
    return queue.order.getData({ orderId }) ?? cards.find(({ id }) => id === orderId);
  };
}
