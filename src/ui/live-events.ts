import { LIVE_PING_MS, type LiveProcedures } from "#shared/live-events.ts";

/** `lost`: the connection broke and is being made again. */
export type LiveStatus = "connecting" | "live" | "lost";

/** What a screen does with the events that it follows. */
interface LiveFollower<Event> {
  onEvent: (event: Event) => void;
  onStatus: (status: LiveStatus) => void;
  /** The session of the connection has ended. The next connection uses the session that the browser has then, if any. */
  onSessionEnded: () => void;
  /** A connection that is silent for so long is dead. */
  silenceMs?: number;
}

type Stop = () => void;

/** For streams that only have the pings. */
const SILENCE_MS = 3 * LIVE_PING_MS;
/** The pause before connecting again; up to twice as long, so that clients spread out after a restart of the server. */
const RETRY_MS = 1500;

/**
 * Follows the events while the tab is visible, and continues after the last one when it is visible again. Hidden tabs
 * hold no connection: a browser opens only six to one server.
 */
export function followWhileVisible<Name extends keyof LiveProcedures>(
  procedure: Name,
  follower: LiveFollower<LiveProcedures[Name]>,
): Stop {
  let lastEventId: string | undefined;
  let stop: Stop | undefined;

  const start = () =>
    followEvents(procedure, () => lastEventId, {
      ...follower,
      onEvent(event) {
        lastEventId = event.id;
        follower.onEvent(event);
      },
    });

  function update(): void {
    if (document.visibilityState === "visible") {
      stop ??= start();
    } else {
      stop?.();
      stop = undefined;
    }
  }

  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    stop?.();
  };
}

/** What the connected tab sends to the others; a new tab asks for the status. */
type TabMessage<Event> = { event: Event } | { status: LiveStatus } | "status?";

/**
 * Follows the events in every tab, hidden or not, over one connection: one tab connects and passes the events on to the
 * others; when it closes, another tab continues after the last event.
 */
export function followInAllTabs<Name extends keyof LiveProcedures>(
  procedure: Name,
  follower: LiveFollower<LiveProcedures[Name]>,
): Stop {
  type Message = TabMessage<LiveProcedures[Name]>;
  const name = `print-store-${procedure}`;
  const otherTabs = new BroadcastChannel(name);
  let lastEventId: string | undefined;
  let ownStatus: LiveStatus | undefined;

  function receive(message: Message): void {
    if (message === "status?") {
      if (ownStatus) otherTabs.postMessage({ status: ownStatus } satisfies Message);
    } else if ("status" in message) {
      follower.onStatus(message.status);
    } else {
      lastEventId = message.event.id;
      follower.onEvent(message.event);
    }
  }

  function publish(message: Message): void {
    receive(message);
    otherTabs.postMessage(message);
  }

  otherTabs.onmessage = ({ data }: MessageEvent<Message>) => receive(data);
  otherTabs.postMessage("status?" satisfies Message);
  const stop = runInOneTab(name, () =>
    followEvents(procedure, () => lastEventId, {
      onEvent: (event) => publish({ event }),
      onStatus(status) {
        ownStatus = status;
        publish({ status });
      },
      onSessionEnded: follower.onSessionEnded,
      ...(follower.silenceMs && { silenceMs: follower.silenceMs }),
    }),
  );
  return () => {
    stop();
    otherTabs.close();
  };
}

/**
 * Runs `start` in one tab of this browser at a time; when that tab closes, in another. Over plain HTTP from another
 * machine browsers have no locks, and every tab runs it.
 */
function runInOneTab(name: string, start: () => Stop): Stop {
  if (!navigator.locks) return start();
  const leaving = new AbortController();
  const { signal } = leaving;
  const untilAborted = () =>
    new Promise<void>((resolve) => {
      const stop = start();
      signal.addEventListener("abort", () => {
        stop();
        resolve();
      });
    });
  navigator.locks.request(name, { signal }, untilAborted).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  });
  return () => leaving.abort();
}

/**
 * Receives the events of a tRPC subscription over lost connections and restarts of the server. The browser's own
 * EventSource does it: tRPC's link would add to the first load of every page.
 * @param lastEventId the event after which the stream continues
 */
function followEvents<Name extends keyof LiveProcedures>(
  procedure: Name,
  lastEventId: () => string | undefined,
  { onEvent, onStatus, onSessionEnded, silenceMs = SILENCE_MS }: LiveFollower<LiveProcedures[Name]>,
): Stop {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source = connect();
  // After a change of network neither side notices that the old connection is dead.
  window.addEventListener("offline", connectLater);
  window.addEventListener("online", connectNow);

  function connect(): EventSource {
    const next = new EventSource(streamUrl(procedure, lastEventId()));
    // Waits for tRPC's first event: the headers alone also arrive where a proxy holds the events back.
    next.addEventListener("connected", () => {
      onStatus("live");
      restartSilenceTimer();
    });
    next.onmessage = ({ data }: MessageEvent<string>) => {
      restartSilenceTimer();
      onEvent(JSON.parse(data));
    };
    next.addEventListener("ping", restartSilenceTimer);
    next.addEventListener("serialized-error", ({ data }) => {
      const code = JSON.parse(data).data?.appCode;
      if (code === "UNAUTHENTICATED") onSessionEnded();
      else if (code === "RATE_LIMITED") connectOnFocus();
    });
    next.onerror = connectLater;
    restartSilenceTimer();
    return next;
  }

  function restartSilenceTimer(): void {
    clearTimeout(timer);
    timer = setTimeout(connectLater, silenceMs);
  }

  function connectLater(): void {
    disconnect();
    onStatus("lost");
    timer = setTimeout(connectNow, RETRY_MS * (1 + Math.random()));
  }

  /** The server ended this stream in favour of newer ones. Connecting at once would end another, which would do the same. */
  function connectOnFocus(): void {
    disconnect();
    onStatus("lost");
    window.addEventListener("focus", connectNow);
  }

  function connectNow(): void {
    disconnect();
    source = connect();
  }

  function disconnect(): void {
    source.close();
    clearTimeout(timer);
    window.removeEventListener("focus", connectNow);
  }

  return () => {
    disconnect();
    window.removeEventListener("offline", connectLater);
    window.removeEventListener("online", connectNow);
  };
}

function streamUrl(procedure: string, lastEventId: string | undefined): string {
  const input =
    lastEventId === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ lastEventId }))}`;
  return `/api/trpc/${procedure}${input}`;
}
