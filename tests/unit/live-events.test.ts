import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LIVE_PING_MS, type OwnOrderEvent } from "#shared/live-events.ts";
import { followWhileVisible, type LiveStatus } from "#ui/live-events.ts";

/** A connection of which the tests say what the server sends. */
class Source extends EventTarget {
  onmessage?: (message: MessageEvent<string>) => void;
  onerror?: () => void;
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    sources.push(this);
  }

  close(): void {
    this.isClosed = true;
  }

  send(type: string, data?: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

let sources: Source[];
let tab: EventTarget & { visibilityState: "visible" | "hidden" };
let statuses: LiveStatus[];
let events: OwnOrderEvent[];
let sessionEnds: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  [sources, statuses, events, sessionEnds] = [[], [], [], 0];
  tab = Object.assign(new EventTarget(), { visibilityState: "visible" as const });
  vi.stubGlobal("document", tab);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("EventSource", Source);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function follow(): () => void {
  return followWhileVisible("orders.live", {
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    onSessionEnded: () => sessionEnds++,
  });
}

/** The connection that is open; there is at most one. */
function open(): Source | undefined {
  const [source, ...others] = sources.filter(({ isClosed }) => !isClosed);
  expect(others).toEqual([]);
  return source;
}

function show(visibilityState: "visible" | "hidden"): void {
  tab.visibilityState = visibilityState;
  tab.dispatchEvent(new Event("visibilitychange"));
}

const SYNC: OwnOrderEvent = { id: "7", kind: "sync" };
const receive = (event: OwnOrderEvent) =>
  open()?.onmessage?.(new MessageEvent("message", { data: JSON.stringify(event) }));
/** The pause before connecting again, of one and a half to three seconds, as the dice lie here. */
const PAUSE_MS = 2250;

test("a hidden tab holds no connection, and goes on after the last event once it is visible", () => {
  tab.visibilityState = "hidden";
  const stop = follow();
  expect(sources).toEqual([]);
  show("visible");
  expect(open()?.url).toBe("/api/trpc/orders.live");
  receive(SYNC);
  expect(events).toEqual([SYNC]);
  show("hidden");
  expect(open()).toBeUndefined();
  // Neither a network nor any pause connects a tab that nobody sees.
  window.dispatchEvent(new Event("online"));
  vi.advanceTimersByTime(10 * LIVE_PING_MS);
  expect(sources).toHaveLength(1);
  show("visible");
  show("visible");
  expect(open()?.url).toBe(
    `/api/trpc/orders.live?input=${encodeURIComponent(JSON.stringify({ lastEventId: "7" }))}`,
  );
  expect(sources).toHaveLength(2);
  stop();
  expect(open()).toBeUndefined();
  for (const act of [() => show("hidden"), () => show("visible")]) act();
  for (const news of ["online", "offline", "focus"]) window.dispatchEvent(new Event(news));
  vi.advanceTimersByTime(10 * LIVE_PING_MS);
  expect(sources).toHaveLength(2);
});

test("a connection is live once the server has said so, and lost when three pings have not come", () => {
  const stop = follow();
  const first = open();
  first?.dispatchEvent(new Event("open"));
  expect(statuses).toEqual([]);
  first?.send("connected");
  expect(statuses).toEqual(["live"]);
  vi.advanceTimersByTime(3 * LIVE_PING_MS - 1);
  first?.send("ping");
  vi.advanceTimersByTime(3 * LIVE_PING_MS - 1);
  receive(SYNC);
  vi.advanceTimersByTime(3 * LIVE_PING_MS - 1);
  expect([open(), statuses]).toEqual([first, ["live"]]);
  vi.advanceTimersByTime(1);
  expect([open(), statuses]).toEqual([undefined, ["live", "lost"]]);
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(open()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(open()).toBeDefined();
  // One to which nothing ever answers is given up as well.
  vi.advanceTimersByTime(3 * LIVE_PING_MS + PAUSE_MS);
  expect(sources).toHaveLength(3);
  stop();
});

test("a connection that breaks off is made again after a pause, and at once when there is a network", () => {
  const stop = follow();
  open()?.onerror?.();
  expect([open(), statuses]).toEqual([undefined, ["lost"]]);
  vi.advanceTimersByTime(PAUSE_MS - 1);
  expect(open()).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(open()).toBeDefined();

  window.dispatchEvent(new Event("offline"));
  expect([open(), statuses]).toEqual([undefined, ["lost", "lost"]]);
  window.dispatchEvent(new Event("online"));
  expect(open()).toBeDefined();
  // The pause has ended with it.
  vi.advanceTimersByTime(PAUSE_MS);
  expect(sources).toHaveLength(3);
  stop();
});

test("a stream that gave way to newer ones waits until somebody looks at its window again", () => {
  const stop = follow();
  open()?.send("serialized-error", { data: { appCode: "RATE_LIMITED" } });
  expect([open(), statuses]).toEqual([undefined, ["lost"]]);
  vi.advanceTimersByTime(60 * 60_000);
  expect(sources).toHaveLength(1);
  window.dispatchEvent(new Event("focus"));
  expect(open()).toBeDefined();
  // What lives is not made anew.
  window.dispatchEvent(new Event("focus"));
  expect([open(), sources.length, sessionEnds]).toEqual([sources[1], 2, 0]);
  stop();
});

test("whoever follows hears of the end of the session, and of no other failure as such", () => {
  const stop = follow();
  open()?.send("serialized-error", { data: { appCode: "UNAVAILABLE" } });
  open()?.send("serialized-error", {});
  expect(sessionEnds).toBe(0);
  open()?.send("serialized-error", { data: { appCode: "UNAUTHENTICATED" } });
  expect(sessionEnds).toBe(1);
  stop();
});
