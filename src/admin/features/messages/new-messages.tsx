import { trpc } from "#ui/trpc.ts";
import { CountBadge } from "../../ui/count-badge.tsx";

const LOOK_AGAIN_MS = 60_000;

/** How many contact messages nobody has read. */
export function NewMessages() {
  const { data } = trpc.contact.counts.useQuery(undefined, { refetchInterval: LOOK_AGAIN_MS });
  return <CountBadge count={data?.new ?? 0} label="new" />;
}
