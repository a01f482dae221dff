import { useEffect, useEffectEvent, useState } from "react";
import type { OwnOrderEvent } from "#shared/live-events.ts";
import { followWhileVisible, type LiveStatus } from "#ui/live-events.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";

/** Loads the orders on the screen again when a shop changes them, and returns the state of the connection. */
export function useOrdersLive(): LiveStatus {
  const { client, orders, reprints } = trpc.useUtils();
  const setUser = useSetUser();
  const [status, setStatus] = useState<LiveStatus>("connecting");

  const refresh = useEffectEvent((event: OwnOrderEvent) => {
    void orders.mine.invalidate();
    const concerned = event.kind === "sync" ? undefined : { orderId: event.orderId };
    void orders.one.invalidate(concerned);
    void reprints.own.invalidate(concerned);
  });
  // A new password, and a confirmation by staff, replace the browser's session; that is no logout.
  const logOutIfGone = useEffectEvent(async () => {
    const user = await client.accounts.me.query().catch(() => undefined);
    if (user === null) await setUser(null);
  });

  useEffect(
    () =>
      followWhileVisible("orders.live", {
        onEvent: refresh,
        onStatus: setStatus,
        onSessionEnded: () => void logOutIfGone(),
      }),
    [],
  );
  return status;
}
