import { useHydrated, useMatch } from "@tanstack/react-router";
import { indianClock } from "#shared/indian-time.ts";

/**
 * Shows times as `indianClock` does, at first as the server drew them: a page that is opened on a later day, as without a
 * connection, would differ from what it was sent as.
 */
export function useClockText(): (timestamp: string) => string {
  const loadedAt = useMatch({ strict: false, select: ({ updatedAt }) => updatedAt });
  const now = useHydrated() ? Date.now() : loadedAt;
  return (timestamp) => indianClock(Date.parse(timestamp), now);
}
