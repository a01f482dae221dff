import type { QueueEvent } from "#shared/queue-events.ts";
import type { StoreClient } from "#ui/trpc.ts";
import { followQueue, type LiveStatus } from "./queue-stream.ts";

const NAME = "print-store-queue";

/** What the tab that listens tells the others; a new tab asks how the connection is. */
type Telling = { event: QueueEvent } | { status: LiveStatus } | "how is it?";

export interface QueueFollower {
  onEvent: (event: QueueEvent) => void;
  onStatus: (status: LiveStatus) => void;
}

/** Follows the queue through the one tab of this browser that listens to it, which may be this one. */
export function followSharedQueue(client: StoreClient, follower: QueueFollower): () => void {
  const others = new BroadcastChannel(NAME);
  let lastEventId: string | undefined;
  let ownStatus: LiveStatus | undefined;

  function hear(telling: Telling): void {
    if (telling === "how is it?") {
      if (ownStatus) others.postMessage({ status: ownStatus } satisfies Telling);
    } else if ("status" in telling) {
      follower.onStatus(telling.status);
    } else {
      lastEventId = telling.event.id;
      follower.onEvent(telling.event);
    }
  }

  function spread(telling: Telling): void {
    if (typeof telling === "object" && "status" in telling) ownStatus = telling.status;
    hear(telling);
    others.postMessage(telling);
  }

  others.onmessage = ({ data }: MessageEvent<Telling>) => hear(data);
  others.postMessage("how is it?" satisfies Telling);
  const leave = inOneTab(NAME, () =>
    followQueue(client, {
      lastEventId: () => lastEventId,
      onEvent: (event) => spread({ event }),
      onStatus: (status) => spread({ status }),
    }),
  );
  return () => {
    leave();
    others.close();
  };
}

/**
 * Runs `lead` in one tab of this browser at a time: a browser keeps only six connections to a server open, and six
 * tabs that each hold one would leave none to work with. When that tab goes, another takes over. `lead` answers what
 * ends it. Where there are no locks (over plain HTTP from another machine), every tab leads.
 */
function inOneTab(name: string, lead: () => () => void): () => void {
  if (!navigator.locks) return lead();
  const leaving = new AbortController();
  const { signal } = leaving;
  navigator.locks.request(name, { signal }, () => leadUntil(signal, lead)).catch(ignoreLeaving);
  return () => leaving.abort();
}

function leadUntil(signal: AbortSignal, lead: () => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = lead();
    signal.addEventListener("abort", () => {
      stop();
      resolve();
    });
  });
}

function ignoreLeaving(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
