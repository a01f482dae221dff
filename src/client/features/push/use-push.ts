import { useHydrated } from "@tanstack/react-router";
import { useState } from "react";
import type { PushSubscriptionInput } from "#shared/schemas/push.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { isSharedComputer } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";

interface Push {
  /** Null before the page runs, and in a store without a service worker. */
  support: PushSupport | null;
  isOn: boolean;
  isBusy: boolean;
  /** What went wrong, in words for the person. */
  problem: string | null;
  turnOn(): Promise<void>;
  turnOff(): Promise<void>;
}

/** Notifications of the store on this device, for the session. */
export function usePush(): Push {
  const isHydrated = useHydrated();
  const utils = trpc.useUtils();
  const device = trpc.push.device.useQuery(undefined, { staleTime: 60_000 });
  const subscribe = trpc.push.subscribe.useMutation();
  const unsubscribe = trpc.push.unsubscribe.useMutation();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const publicKey = device.data?.publicKey ?? null;
  const support = isHydrated && publicKey !== null ? pushSupport() : null;

  async function change(act: () => Promise<boolean>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      const isOn = await act();
      utils.push.device.setData(undefined, (known) => known && { ...known, isOn });
    } catch (error) {
      setProblem(error instanceof NotReached ? NOT_REACHED : messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    support,
    isOn: (device.data?.isOn ?? false) && (support === null || isAllowed()),
    isBusy,
    problem,
    turnOn: () =>
      change(async () => {
        const subscription = publicKey && (await subscribeBrowser(publicKey));
        if (!subscription) return false;
        try {
          await subscribe.mutateAsync(subscription);
        } catch (error) {
          // The next press begins with a new subscription.
          if (codeOf(error) === "CONFLICT") await unsubscribeBrowser();
          throw error;
        }
        return true;
      }),
    turnOff: () =>
      change(async () => {
        await unsubscribe.mutateAsync();
        await unsubscribeBrowser().catch(() => {});
        return false;
      }),
  };
}

/** Why this device cannot get notifications, and what helps. */
export const SUPPORT_TEXTS: Record<Exclude<PushSupport, "ready">, string> = {
  denied:
    "This browser blocks notifications of Print Store. Allow them in its settings for this page (the sign beside the address), then load the page again. You still get emails.",
  "not-installed":
    "On an iPhone or iPad, notifications work once Print Store is on the Home Screen: press Share, then 'Add to Home Screen', and open it from there.",
  shared: "A shared computer gets no notifications. You still get emails.",
  none: "This browser cannot show notifications. You still get emails.",
};

/** Whether this browser can show notifications of the store, and may. */
type PushSupport = "ready" | "denied" | "not-installed" | "shared" | "none";

function pushSupport(): PushSupport {
  if (isSharedComputer()) return "shared";
  if ("PushManager" in window && "Notification" in window && navigator.serviceWorker)
    return Notification.permission === "denied" ? "denied" : "ready";
  return isAppleMobile() ? "not-installed" : "none";
}

/** The permission can be taken back in the browser's settings, of which the server does not hear. */
function isAllowed(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}

/** Tablets of Apple say that they are a Mac, but no Mac has a touch screen. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

/** How long to wait for a service worker that is being installed. */
const WORKER_MS = 15_000;
const NOT_REACHED =
  "This browser could not reach its notification service. Please try again later; you still get emails.";
/** The browser's own push service does not answer. */
class NotReached extends Error {}

/**
 * Asks for permission and subscribes this browser. Null when the person did not allow it. Call it in the handler of a press:
 * browsers ask at no other time.
 */
async function subscribeBrowser(publicKey: string): Promise<PushSubscriptionInput | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await readyWorker();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // A subscription that was made with an earlier key of the store is in the way.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch(() => {
      throw new NotReached();
    });
  });
  const { endpoint = "", keys } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" } };
}

async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new NotReached()), WORKER_MS),
  );
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Safari takes the key as bytes only. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
