import { useHydrated, useMatch } from "@tanstack/react-router";
import { indianClock } from "#shared/indian-time.ts";

/**
 * Shows times as `indianClock` does, at first as the server drew them: a page that is opened on a later day, as without a
 * connection, would differ from what it was sent as.
 */
export function useClockText(): (timestamp: string) => string {
  const { updatedAt } = useMatch({ strict: false });
  const now = useHydrated() ? undefined : updatedAt;
  return (timestamp) => indianClock(Date.parse(timestamp), now);
}
