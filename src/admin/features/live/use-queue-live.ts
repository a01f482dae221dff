import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { trpc } from "#client/lib/trpc.ts";
import type { QueueEvent } from "#shared/queue-events.ts";
import { chime } from "./chime.ts";
import { createListRefresh } from "./list-refresh.ts";
import { useLive, useSound } from "./live.store.ts";
import { followSharedQueue } from "./shared-stream.ts";

/** Follows the queue, and keeps lists, count and sound up with it. @param shopId whose orders are announced; all without */
export function useQueueLive(shopId: string | undefined): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();

  const announce = useEffectEvent((event: QueueEvent) => {
    if (event.kind !== "placed" || (shopId && event.shopId !== shopId)) return;
    useLive.setState(({ unseen }) => ({ unseen: unseen + 1 }));
    if (useSound.getState().isOn) void chime();
  });

  useEffect(() => {
    const lists = createListRefresh(queryClient, utils);
    const leave = followSharedQueue(utils.client, {
      onEvent(event) {
        lists.note(event);
        announce(event);
      },
      onStatus: (status) => useLive.setState({ status }),
    });
    return () => {
      leave();
      lists.stop();
    };
  }, [queryClient, utils]);
}
