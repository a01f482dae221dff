import type { QueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "#ui/trpc.ts";
import { areMovesUnderWay } from "./order-turns.ts";

/** The board, the table and what is known of single orders in the cache, of whichever shops, filters and ids. */
export const BOARD_KEY = getQueryKey(trpc.queue.board);
export const PAGE_KEY = getQueryKey(trpc.queue.page);
export const ORDER_KEY = getQueryKey(trpc.queue.order);
export const LIST_KEYS = [BOARD_KEY, PAGE_KEY];

/** Whether the server is being told of a change: until it has answered, lists may be older than what was just done. */
export function isMoving(queryClient: QueryClient): boolean {
  return areMovesUnderWay() || queryClient.isMutating({ mutationKey: [["queue"]] }) > 0;
}
