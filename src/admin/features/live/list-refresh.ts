import type { QueryClient } from "@tanstack/react-query";
import type { StoreUtils } from "#client/lib/trpc.ts";
import type { QueueEvent } from "#shared/queue-events.ts";
import { isMoving, LIST_KEYS } from "../order/queue-keys.ts";

/** The lists are fetched at most so often, however many orders come. */
const PAUSE_MS = 1000;
const BUSY_MS = 150;

export interface ListRefresh {
  /** Has what this event makes out of date fetched again soon. */
  note: (event: QueueEvent) => void;
  stop: () => void;
}

/** Keeps what is on the screen up to date, without fetching the lists for every single event. */
export function createListRefresh(queryClient: QueryClient, { queue, reprints }: StoreUtils): ListRefresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let areOrdersDue = false;

  function refresh(): void {
    timer = undefined;
    if (isMoving(queryClient) || isFetchingLists(queryClient)) {
      plan(BUSY_MS);
    } else {
      lastAt = performance.now();
      for (const queryKey of LIST_KEYS) void queryClient.invalidateQueries({ queryKey });
      if (areOrdersDue) void queue.order.invalidate();
      areOrdersDue = false;
    }
  }

  function plan(inMs: number): void {
    timer ??= setTimeout(refresh, inMs);
  }

  return {
    note(event) {
      const concerned = event.kind === "sync" ? undefined : { orderId: event.orderId };
      void reprints.ofOrder.invalidate(concerned);
      // While orders are being moved, an answer may be older than what the person did last.
      const isEarly = isMoving(queryClient);
      if (isEarly) areOrdersDue = true;
      else void queue.order.invalidate(concerned);
      if (isEarly || event.kind !== "noted") plan(Math.max(0, lastAt + PAUSE_MS - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

function isFetchingLists(queryClient: QueryClient): boolean {
  return LIST_KEYS.some((queryKey) => queryClient.isFetching({ queryKey }) > 0);
}
