import type { QueryClient } from "@tanstack/react-query";
import type { WorkerRequest } from "#ui/page-cache.ts";
import { onOwnerChanged } from "#ui/personal-data.ts";
import { checkConnection, followNetwork, onReconnected } from "./connection.ts";

/** The router, as far as it is needed here. */
interface Pages {
  subscribe(event: "onBeforeLoad" | "onResolved", listener: (change: PageChange) => void): void;
}
interface PageChange {
  fromLocation?: unknown;
  toLocation: { href: string };
  pathChanged: boolean;
}

/** Pages are cached only after the first few seconds, in which the page needs the network for itself. */
const LATER_MS = 2000;

/** Work that a reload would interrupt, besides calls that change something. */
let unfinished = 0;

/** Until this work ends, a new version of the store does not reload the page. */
export function delayNewVersion(work: Promise<unknown>): void {
  unfinished += 1;
  const end = () => {
    unfinished -= 1;
  };
  work.then(end, end);
}

/**
 * Registers the service worker after the page's first seconds, and has it cache the pages that are shown. After a
 * deployment the next page is loaded from the server, unless it follows from a call: what that says on the next page is in memory.
 */
export function startServiceWorker(pages: Pages, queryClient: QueryClient): void {
  /** Loads what is on the screen again. */
  const refresh = () => void queryClient.invalidateQueries();
  followNetwork();
  onReconnected(refresh);
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;

  let isControlled = serviceWorker.controller !== null;
  let isOutdated = false;
  if (isControlled) void refreshIfCached(serviceWorker, refresh);
  serviceWorker.addEventListener("controllerchange", () => {
    isOutdated = isControlled;
    isControlled = true;
    cacheShownPage(serviceWorker);
  });
  pages.subscribe("onBeforeLoad", ({ fromLocation, toLocation, pathChanged }) => {
    const mayLeave = isOutdated && unfinished + queryClient.isMutating() === 0;
    if (mayLeave && fromLocation && pathChanged) window.location.assign(toLocation.href);
  });
  const cacheLater = () => later(() => cacheShownPage(serviceWorker));
  pages.subscribe("onResolved", cacheLater);
  // The first page may start after the worker, which caches no page of somebody whom the browser does not know yet.
  onOwnerChanged(cacheLater);
  // A page that has a worker needs no other; registering again would also keep a worker that is removing itself.
  if (isControlled) return;
  const register = () => later(() => void serviceWorker.register("/sw.js").catch(() => {}));
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}

function later(act: () => void): void {
  setTimeout(act, LATER_MS);
}

function cacheShownPage({ controller }: ServiceWorkerContainer): void {
  const { origin, pathname, search } = window.location;
  const assets = performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter((url) => url.origin === origin && url.pathname.startsWith("/assets/"))
    .map((url) => url.pathname);
  const request: WorkerRequest = { kind: "keep", page: `${pathname}${search}`, assets };
  controller?.postMessage(request);
}

/** A cached page is shown when the network is slow or gone: its data is loaded again as soon as that works. */
async function refreshIfCached({ controller }: ServiceWorkerContainer, refresh: () => void): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const request: WorkerRequest = { kind: "age" };
  const answer = new Promise<number | null>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  controller?.postMessage(request, [port2]);
  const renderedAt = await answer;
  port1.close();
  if (renderedAt !== null && (await checkConnection(renderedAt))) refresh();
}
