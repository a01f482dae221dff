import { trpc } from "#ui/trpc.ts";
import { CountBadge } from "../../ui/count-badge.tsx";

const LOOK_AGAIN_MS = 60_000;

/** How many mails could not be sent. */
export function FailedMails() {
  const { data } = trpc.mail.facts.useQuery(undefined, { refetchInterval: LOOK_AGAIN_MS });
  return <CountBadge count={data?.failed ?? 0} label="failed" />;
}
