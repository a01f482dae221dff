import { useHydrated } from "@tanstack/react-router";
import { useState } from "react";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { type PushSupport, pushSupport, subscribeBrowser, unsubscribeBrowser } from "./browser-push.ts";

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
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return {
    support,
    isOn: (device.data?.isOn ?? false) && support !== "denied",
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
    "This browser blocks notifications of Print Store. Allow them in its settings for this page (the sign beside the address), then load the page again. The emails come in any case.",
  "not-installed":
    "On an iPhone or iPad, notifications work once Print Store is on the Home Screen: press Share, then 'Add to Home Screen', and open it from there.",
  none: "This browser cannot show notifications. The emails come in any case.",
};
