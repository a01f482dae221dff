import { useEffect, useEffectEvent, useState } from "react";
import { useSetUser } from "#client/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { OwnOrderEvent } from "#shared/order-events.ts";
import { followOwnOrders, type LiveStatus } from "./order-stream.ts";
import { whileVisible } from "./while-visible.ts";

/** Keeps the orders on the screen up with what the shops do, and tells how the connection is. */
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
  // A new password, and staff who confirm that it is them, give the browser another session.
  const logOutIfGone = useEffectEvent(async () => {
    const user = await client.accounts.me.query().catch(() => undefined);
    if (user === null) await setUser(null);
  });

  useEffect(() => {
    let lastEventId: string | undefined;
    return whileVisible(() =>
      followOwnOrders(
        {
          onEvent(event) {
            lastEventId = event.id;
            refresh(event);
          },
          onStatus: setStatus,
          onSessionEnded: () => void logOutIfGone(),
        },
        lastEventId,
      ),
    );
  }, []);
  return status;
}
