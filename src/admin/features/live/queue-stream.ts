import type { QueueEvent } from "#shared/queue-events.ts";
import { codeOf } from "#ui/errors.ts";
import type { StoreClient } from "#ui/trpc.ts";

/** `lost` is a connection that is being taken up again. */
export type LiveStatus = "connecting" | "live" | "lost";

export interface QueueListener {
  /** From where to go on; the server sends what was missed. */
  lastEventId: () => string | undefined;
  onEvent: (event: QueueEvent) => void;
  onStatus: (status: LiveStatus) => void;
}

/** How long after an answer that no event source recovers from (a proxy's error page) it is tried again. */
const RETRY_MS = 3000;

/** Listens to the order queue until the answered function is called, over lost connections and restarts. */
export function followQueue(client: StoreClient, listener: QueueListener): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined;
  let subscription = connect();

  function connect() {
    return client.queue.live.subscribe(
      { lastEventId: listener.lastEventId() },
      {
        onStarted: () => listener.onStatus("live"),
        onData: ({ data }) => listener.onEvent(data),
        onConnectionStateChange: ({ state, error }) => {
          if (state === "connecting") listener.onStatus(error ? "lost" : "connecting");
        },
        onError: (error) => (codeOf(error) === "RATE_LIMITED" ? rest() : connectAgain()),
        onComplete: connectAgain,
      },
    );
  }

  function connectAgain(): void {
    listener.onStatus("lost");
    clearTimeout(retry);
    retry = setTimeout(connectNow, RETRY_MS);
  }

  /** Newer tabs have taken its place: one that came back at once would end another, which would come back in turn. */
  function rest(): void {
    listener.onStatus("lost");
    window.addEventListener("focus", connectNow);
  }

  function connectNow(): void {
    window.removeEventListener("focus", connectNow);
    subscription = connect();
  }

  return () => {
    window.removeEventListener("focus", connectNow);
    subscription.unsubscribe();
    clearTimeout(retry);
  };
}
