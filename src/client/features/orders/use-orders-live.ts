import { useEffect, useEffectEvent, useState } from "react";
import type { OwnOrderEvent } from "#shared/order-events.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { followOwnOrders, type LiveStatus } from "./order-stream.ts";

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

/**
 * Keeps up what `start` begins while the tab is in view: a browser keeps only six connections to a server open, and
 * six tabs that each hold one would leave none to work with. `start` answers what ends it, and so does this.
 */
function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;

  function look(): void {
    if (document.visibilityState === "visible") {
      stop ??= start();
    } else {
      stop?.();
      stop = undefined;
    }
  }

  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop?.();
  };
}
