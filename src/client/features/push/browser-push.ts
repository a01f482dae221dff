import type { PushSubscriptionInput } from "#shared/schemas/push.ts";

/** Whether this browser can show notifications of the store, and may. */
export type PushSupport = "ready" | "denied" | "not-installed" | "none";

export function pushSupport(): PushSupport {
  if ("PushManager" in window && "Notification" in window && navigator.serviceWorker)
    return Notification.permission === "denied" ? "denied" : "ready";
  return isAppleMobile() ? "not-installed" : "none";
}

/** Tablets of Apple say that they are a Mac, but no Mac has a touch screen. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

/** How long to wait for a service worker that is being installed. */
const WORKER_MS = 15_000;
const NOT_REACHED =
  "This browser could not reach its notification service. Please try again later; the emails come in any case.";

/**
 * Asks for permission and subscribes this browser. Null when the person did not allow it. Call it in the handler of a press:
 * browsers ask at no other time.
 */
export async function subscribeBrowser(publicKey: string): Promise<PushSubscriptionInput | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await readyWorker();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // A subscription that was made with an earlier key of the store is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch(() => {
      throw new Error(NOT_REACHED);
    });
  });
  const { endpoint = "", keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error(NOT_REACHED)), WORKER_MS),
  );
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Safari takes the key as bytes only. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
