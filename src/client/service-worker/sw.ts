import { ExpirationPlugin } from "workbox-expiration/ExpirationPlugin.js";
import { CacheFirst } from "workbox-strategies/CacheFirst.js";
import { StaleWhileRevalidate } from "workbox-strategies/StaleWhileRevalidate.js";
import { isPrintable } from "#shared/file-formats.ts";
import type { PushPayload } from "#shared/schemas/push.ts";
import { GUEST, PAGE_CACHE, readViewer, type WorkerRequest } from "#ui/page-cache.ts";
import { keepShared } from "#ui/shared-files.ts";
import { ageOf, answerPage, cachePage, isPage, OFFLINE_PAGE } from "./pages.ts";

declare const self: ServiceWorkerGlobalScope;
/** Paths of the files that every page needs, set by the build. */
declare const __SHELL__: string[];
const SHELL = __SHELL__;

const SHELL_CACHE = "shell";
const A_MONTH_SECONDS = 30 * 24 * 60 * 60;

/** Their names change with their content. */
const assets = new CacheFirst({
  cacheName: "assets",
  plugins: [
    new ExpirationPlugin({ maxEntries: 200, maxAgeSeconds: A_MONTH_SECONDS, purgeOnQuotaError: true }),
  ],
});
const pictures = new StaleWhileRevalidate({
  cacheName: "pictures",
  plugins: [
    new ExpirationPlugin({ maxEntries: 60, maxAgeSeconds: A_MONTH_SECONDS, purgeOnQuotaError: true }),
  ],
});
const PICTURES = /^\/(favicon\.svg$|icons\/|shop-images\/|shop-photos\/)/;

self.addEventListener("install", (event) => {
  event.waitUntil(cacheShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldBuild().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method === "POST" && url.pathname === "/share-target")
    event.respondWith(receiveShared(request));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    // The browser has already sent this request, and would send it a second time without an answer from here.
    event.respondWith(isPage(url) ? answerPage(event) : answerOther(event));
  } else if (url.pathname.startsWith("/assets/")) {
    event.respondWith(answerAsset(event, request));
  } else if (PICTURES.test(url.pathname)) {
    event.respondWith(pictures.handle({ event, request }));
  }
});

/** Answers a navigation to what is never cached, such as a download. */
async function answerOther({ preloadResponse, request }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await caches.match(OFFLINE_PAGE)) ?? Response.error();
  }
}

self.addEventListener("push", (event) => event.waitUntil(showPush(event.data)));

self.addEventListener("notificationclick", (event) => event.waitUntil(openPush(event.notification)));

self.addEventListener("message", (event) => {
  const asked: WorkerRequest = event.data;
  if (asked.kind === "age" && event.source instanceof Client) {
    event.ports[0]?.postMessage(ageOf(event.source.id));
  }
  if (asked.kind === "keep") {
    // Its scripts come first, so that a cached page can start.
    const assets = untilActive().then(() => cacheAssets(asked.assets, event));
    event.waitUntil(assets.then(() => cachePage(asked.page, event)));
  }
});

/** Pages ask to be cached as soon as this worker takes over, while it still removes those of the build before. */
async function untilActive(): Promise<void> {
  const { active } = self.registration;
  if (active?.state !== "activating") return;
  await new Promise((resolve) => active.addEventListener("statechange", resolve, { once: true }));
}

/** The browser has most of these files already, so that this costs no traffic. */
async function cacheShell(): Promise<void> {
  const cache = await caches.open(SHELL_CACHE);
  await cache.add(new Request(OFFLINE_PAGE, { cache: "reload" }));
  const known = await Promise.all(SHELL.map((path) => cache.match(path)));
  await cache.addAll(SHELL.filter((_path, at) => !known[at]));
}

/** Pages of the build before this one would start its scripts. */
async function removeOldBuild(): Promise<void> {
  await self.registration.navigationPreload?.enable();
  await caches.delete(PAGE_CACHE);
  const cache = await caches.open(SHELL_CACHE);
  const present = new Set([...SHELL, OFFLINE_PAGE]);
  for (const request of await cache.keys())
    if (!present.has(new URL(request.url).pathname)) await cache.delete(request);
}

async function answerAsset(event: ExtendableEvent, request: Request): Promise<Response> {
  const inShell = await caches.match(request, { cacheName: SHELL_CACHE });
  return inShell ?? assets.handle({ event, request });
}

async function cacheAssets(paths: string[], event: ExtendableEvent): Promise<void> {
  const own = paths.filter((path) => path.startsWith("/assets/"));
  await Promise.allSettled(
    own.map((path) => answerAsset(event, new Request(new URL(path, self.location.origin)))),
  );
}

/** Takes over what another app shares; the server never sees it before its owner has chosen a shop. */
async function receiveShared(request: Request): Promise<Response> {
  const form = await request.formData();
  const files = form.getAll("files").filter((part) => part instanceof File);
  const printable = files.filter(isPrintable);
  const withoutRoom = await keepShared(printable, await readViewer()).catch(() => printable.length);
  const leftOut = files.length - printable.length + withoutRoom;
  return Response.redirect(leftOut > 0 ? `/shared?left=${leftOut}` : "/shared", 303);
}

/** Shows a push message. Whose account it is not sees no order in it: browsers demand that something is shown. */
async function showPush(data: PushMessageData | null): Promise<void> {
  const payload: PushPayload | null = data && JSON.parse(data.text());
  if (!payload) return;
  const viewer = await readViewer();
  const isOwn = payload.viewer === viewer;
  // TypeScript does not know `renotify` yet.
  const options: NotificationOptions & { renotify: boolean } = {
    body: isOwn ? payload.body : "Log in to Print Store to see it.",
    icon: "/icons/icon-192.png",
    // Newer news of an order replace older ones, and make a sound again.
    tag: payload.path,
    renotify: true,
    data: isOwn || viewer === GUEST ? payload.path : "/orders",
  };
  await self.registration.showNotification(isOwn ? payload.title : "Order update", options);
}

/** Opens what a notification is about: in the tab that shows it already, or in a new one, which asks for a login if needed. */
async function openPush(notification: Notification): Promise<void> {
  notification.close();
  const url = new URL(String(notification.data), self.location.origin);
  if (url.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // A tab with another page may hold an unfinished order.
  const open = windows.find((window) => new URL(window.url).pathname === url.pathname);
  await (open ? open.focus() : self.clients.openWindow(url));
}
