import { CountBadge } from "../../ui/count-badge.tsx";
import { useLive } from "./live.store.ts";

/** At the entry of the orders: how many came that nobody has looked at. */
export function NewOrders() {
  return <CountBadge count={useLive(({ unseen }) => unseen)} label="new" />;
}
