import { useCurrentShop } from "#admin/lib/current-shop.ts";
import { useLive } from "./live.store.ts";
import { useQueueLive } from "./use-queue-live.ts";
import { useTitleCount } from "./use-title-count.ts";
import { useTouch } from "./use-touch.ts";

/** Stands in the frame, so that a new order is heard on every screen. Draws nothing. */
export function QueueLive() {
  useQueueLive(useCurrentShop());
  useTouch();
  useTitleCount(useLive(({ unseen }) => unseen));
  return null;
}
