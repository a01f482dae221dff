import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { trpc } from "#client/lib/trpc.ts";
import type { OrderState } from "#shared/order-states.ts";
import { boardAfter, pagesAfter } from "./moved-lists.ts";
import type { Board, OrderPage } from "./order-answers.ts";
import type { Change } from "./order-turns.ts";
import { BOARD_KEY, isMoving, LIST_KEYS, PAGE_KEY } from "./queue-keys.ts";

export interface ShownMoves {
  /** Shows the moves before the server has made them. */
  move: (changes: Change[]) => Promise<void>;
  /** Shows the orders where they were. */
  takeBack: (changes: Change[]) => void;
  /** Fetches what the server made of it. */
  settle: () => void;
}

/** Moves orders about in what the screen already knows, in whichever shops and filters it was asked for. */
export function useShownMoves(): ShownMoves {
  const queryClient = useQueryClient();
  const { queue } = trpc.useUtils();

  return useMemo(() => {
    function show(orderId: string, to: OrderState): void {
      queryClient.setQueriesData<Board>(
        { queryKey: BOARD_KEY },
        (board) => board && boardAfter(board, orderId, to),
      );
      queryClient.setQueriesData<{ pages: OrderPage[] }>(
        { queryKey: PAGE_KEY },
        (list) => list && { ...list, pages: pagesAfter(list.pages, orderId, to) },
      );
      queue.order.setData({ orderId }, (order) => order && { ...order, state: to });
    }
    return {
      async move(changes) {
        // An answer that is under way is older than what the person does now.
        await Promise.all([
          ...LIST_KEYS.map((queryKey) => queryClient.cancelQueries({ queryKey })),
          ...changes.map(({ orderId }) => queue.order.cancel({ orderId })),
        ]);
        for (const { orderId, to } of changes) show(orderId, to);
      },
      takeBack(changes) {
        for (const { orderId, from } of changes) show(orderId, from);
      },
      settle() {
        if (!isMoving(queryClient)) void queue.invalidate();
      },
    };
  }, [queryClient, queue]);
}
