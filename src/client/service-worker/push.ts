import type { PushPayload } from "#shared/schemas/push.ts";
import { GUEST, readViewer } from "#ui/page-cache.ts";

declare const self: ServiceWorkerGlobalScope;

/** Shows a push message. Whose account it is not sees no order in it: browsers demand that something is shown. */
export async function showPush(data: PushMessageData | null): Promise<void> {
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
export async function openPush(notification: Notification): Promise<void> {
  notification.close();
  const url = new URL(String(notification.data), self.location.origin);
  if (url.origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // A tab with another page may hold an unfinished order.
  const open = windows.find((window) => new URL(window.url).pathname === url.pathname);
  await (open ? open.focus() : self.clients.openWindow(url));
}
