import { NetworkFirst } from "workbox-strategies/NetworkFirst.js";
import { GUEST, PAGE_CACHE, readViewer, VIEWER_HEADER } from "#ui/page-cache.ts";

/** The cached pages: public ones, orders, and the way to an order. */
const CACHED =
  /^\/($|shops$|how-it-works$|about-us$|contact-us$|faq$|support$|terms-and-conditions$|privacy-policy$|refund-and-cancellation$|printnow$|printorder$|shared$|orders(\/[^/]+)?$)/;
/** Pages that need a connection. */
const UNCACHED = /^\/(login|signup|login-with-otp|account-verify|forgotpassword|profile|settings)$/;
const MAX_PAGES = 30;
/** A page seen again within this time is not fetched for the cache again. */
const FRESH_MS = 60_000;
/** After this time without an answer the cached page is shown. */
const SLOW_SECONDS = 3;

export const OFFLINE_PAGE = "/offline.html";

export function isPage({ pathname }: URL): boolean {
  return CACHED.test(pathname) || UNCACHED.test(pathname);
}

/** When a shown page was rendered, by the id of its client; only of pages that came from the cache. */
const shownFromCache = new Map<string, number>();

/** When the page of this client was rendered if it came from the cache. */
export function ageOf(clientId: string): number | null {
  return shownFromCache.get(clientId) ?? null;
}

const viewerOf = ({ headers }: Response) => headers.get(VIEWER_HEADER) ?? GUEST;
const isRendered = ({ status, headers }: Response) =>
  status === 200 && (headers.get("content-type") ?? "").startsWith("text/html");

/** The newest page; offline and on a very slow network the cached one. */
const network = new NetworkFirst({
  cacheName: PAGE_CACHE,
  networkTimeoutSeconds: SLOW_SECONDS,
  plugins: [
    {
      cacheWillUpdate: async ({ request, response }) => {
        const isCached = CACHED.test(new URL(request.url).pathname) && isRendered(response);
        return isCached && viewerOf(response) === (await readViewer()) ? response : null;
      },
      cacheDidUpdate: async ({ request, newResponse }) => {
        const cache = await caches.open(PAGE_CACHE);
        // Whoever was logged in when the page was asked for may have logged out since.
        if (viewerOf(newResponse) !== (await readViewer())) await cache.delete(request);
        const stored = await cache.keys();
        for (const oldest of stored.slice(0, -MAX_PAGES)) await cache.delete(oldest);
      },
      cachedResponseWillBeUsed: async ({ cachedResponse, event }) => {
        if (!cachedResponse || viewerOf(cachedResponse) !== (await readViewer())) return null;
        if (event instanceof FetchEvent)
          shownFromCache.set(event.resultingClientId, renderedAt(cachedResponse));
        return cachedResponse;
      },
    },
  ],
});

/** Answers a navigation. */
export async function answerPage(event: FetchEvent): Promise<Response> {
  try {
    return await network.handle({ event, request: event.request });
  } catch {
    return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
  }
}

/** Caches a page that was shown without a navigation, or before this worker could see it. */
export async function cachePage(path: string, event: ExtendableEvent): Promise<void> {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin || !CACHED.test(url.pathname)) return;
  const cached = await caches.match(url, { cacheName: PAGE_CACHE });
  if (cached && Date.now() - renderedAt(cached) < FRESH_MS) return;
  const request = new Request(url, { headers: { accept: "text/html" }, redirect: "manual" });
  await network.handle({ event, request });
}

function renderedAt({ headers }: Response): number {
  return Date.parse(headers.get("date") ?? "") || 0;
}
