import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { ShownError } from "#ui/errors.ts";

/** Small, and answered without the database. */
const PROBE_PATH = "/robots.txt";
const PROBE_TIMEOUT_MS = 8000;
const PAUSE_MS = { first: 1000, longest: 30_000 };

interface Connection {
  isOffline: boolean;
  /** When what is on the screen was loaded; null while the store can be reached. */
  pageFrom: number | null;
}

const connection = createStore<Connection>(() => ({ isOffline: false, pageFrom: null }));
let probing: Promise<boolean> | null = null;

export function useConnection(): Connection {
  return useStore(connection);
}

/** Calls the listener whenever the store can be reached again. @returns unsubscribe */
export function onReconnected(listener: () => void): () => void {
  return connection.subscribe((now, before) => {
    if (before.isOffline && !now.isOffline) listener();
  });
}

/**
 * Finds out by a small request whether the store can be reached, because browsers do not know. Call it after a request
 * without an answer. While the store cannot be reached, it asks again with growing pauses, and at once when the browser
 * notices a network.
 * @param pageFrom when what is on the screen was loaded; of several callers the oldest page counts
 */
export async function checkConnection(pageFrom = Date.now()): Promise<boolean> {
  probing ??= probe().finally(() => {
    probing = null;
  });
  const isReached = await probing;
  if (isReached) reconnect();
  else lose(pageFrom);
  return isReached;
}

/** While the last check found no connection, resolves at the next that does, or when the signal is aborted. */
export async function untilReachable(signal: AbortSignal): Promise<void> {
  if (signal.aborted || !isOffline()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = onReconnected(resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  unsubscribe();
}

const RELOAD = "A part of this page could not be loaded. Reload the page and try again";

/**
 * Imports a script only while the store can be reached: a browser remembers a failure, and would not load it again until the
 * page is reloaded. Throws without a connection, and ShownError where only a reload helps: the script is of an older build.
 */
export function importOnline<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Module | undefined;
  return async () => {
    if (!loaded && !(await checkConnection())) throw new Error("You are offline");
    loaded ??= await load().catch((cause) => {
      throw new ShownError(RELOAD, { cause });
    });
    return loaded;
  };
}

/** Whether requests are known to get no answer. */
export function isOffline(): boolean {
  return connection.getState().isOffline;
}

/** Follows the browser's own notice of networks. */
export function followNetwork(): void {
  window.addEventListener("offline", () => void checkConnection());
  window.addEventListener("online", () => {
    if (isOffline()) void checkConnection();
  });
}

let pause = PAUSE_MS.first;
let timer: ReturnType<typeof setTimeout> | undefined;

function lose(pageFrom: number): void {
  connection.setState((known) => ({
    isOffline: true,
    pageFrom: Math.min(known.pageFrom ?? pageFrom, pageFrom),
  }));
  // A page has many requests that fail at once, which must not make the pause longer.
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    void checkConnection();
  }, pause);
  pause = Math.min(pause * 2, PAUSE_MS.longest);
}

function reconnect(): void {
  clearTimeout(timer);
  timer = undefined;
  pause = PAUSE_MS.first;
  if (isOffline()) connection.setState({ isOffline: false, pageFrom: null });
}

async function probe(): Promise<boolean> {
  // Only its 'no' is certain: a Wi-Fi without internet counts as online.
  if (!navigator.onLine) return false;
  const options = {
    method: "HEAD",
    cache: "no-store",
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  } as const;
  return fetch(PROBE_PATH, options).then(
    () => true,
    () => false,
  );
}

/**
 * Whether the student is still on the page that asks: an answer that comes late must not lead them away from where they went
 * on to.
 */
export function useStillHere(): () => boolean {
  const path = useRef<string>(null);
  useEffect(() => {
    path.current = window.location.pathname;
    return () => {
      path.current = null;
    };
  }, []);
  return () => path.current === window.location.pathname;
}
