import type { OwnOrderEvent } from "#shared/order-events.ts";

/** `lost` is a connection that is being taken up again. */
export type LiveStatus = "connecting" | "live" | "lost";

export interface OrderListener {
  onEvent: (event: OwnOrderEvent) => void;
  onStatus: (status: LiveStatus) => void;
  /** The server no longer knows the session that the connection was made with; it is made again with that of the moment. */
  onSessionEnded: () => void;
}

/** The server pings every ten seconds: a connection that is silent for so long is dead. */
const SILENCE_MS = 30_000;
/** Up to twice as long, so that not everyone comes back at once after a restart. */
const RETRY_MS = 1500;

/**
 * Listens to what happens to one's own orders until the answered function is called, over lost connections and
 * restarts. By the browser's own event source: tRPC's link would come along with the first load of every page.
 * @param lastEventId from where to go on
 */
export function followOwnOrders(listener: OrderListener, lastEventId?: string): () => void {
  let place = lastEventId;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source = connect();
  // A phone that changes networks leaves a connection behind of which neither side hears that it is dead.
  window.addEventListener("offline", connectLater);
  window.addEventListener("online", connectNow);

  function connect(): EventSource {
    const next = new EventSource(streamUrl(place));
    next.onopen = () => {
      listener.onStatus("live");
      expectSound();
    };
    next.onmessage = ({ data }: MessageEvent<string>) => {
      expectSound();
      const event: OwnOrderEvent = JSON.parse(data);
      place = event.id;
      listener.onEvent(event);
    };
    next.addEventListener("ping", expectSound);
    next.addEventListener("serialized-error", ({ data }) => {
      const code = JSON.parse(data).data?.appCode;
      if (code === "UNAUTHENTICATED") listener.onSessionEnded();
      else if (code === "RATE_LIMITED") rest();
    });
    next.onerror = connectLater;
    expectSound();
    return next;
  }

  function expectSound(): void {
    clearTimeout(timer);
    timer = setTimeout(connectLater, SILENCE_MS);
  }

  function connectLater(): void {
    source.close();
    listener.onStatus("lost");
    clearTimeout(timer);
    timer = setTimeout(connectNow, RETRY_MS * (1 + Math.random()));
  }

  /** Newer tabs have taken its place: one that came back at once would end another, which would come back in turn. */
  function rest(): void {
    source.close();
    clearTimeout(timer);
    listener.onStatus("lost");
    window.addEventListener("focus", connectNow);
  }

  function connectNow(): void {
    window.removeEventListener("focus", connectNow);
    source.close();
    source = connect();
  }

  function leave(): void {
    source.close();
    clearTimeout(timer);
    window.removeEventListener("offline", connectLater);
    window.removeEventListener("online", connectNow);
    window.removeEventListener("focus", connectNow);
  }

  return leave;
}

function streamUrl(lastEventId: string | undefined): string {
  const input =
    lastEventId === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ lastEventId }))}`;
  return `/api/trpc/orders.live${input}`;
}
