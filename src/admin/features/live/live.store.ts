import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { LiveStatus } from "#ui/live-events.ts";

interface LiveState {
  status: LiveStatus;
  /** Orders that arrived since the last click or key in this tab. */
  unseen: number;
}

export const useLive = create<LiveState>(() => ({ status: "connecting", unseen: 0 }));

/** Whether this browser plays a chime for new orders. */
export const useSound = create(persist(() => ({ isOn: true }), { name: "console-sound" }));

/** What the browser allows this tab: sound only after a click or key, desktop notifications only when asked. */
export const useAllowed = create<{ sound: boolean; notifications: NotificationPermission | "unsupported" }>(
  () => ({
    sound: false,
    notifications: "Notification" in globalThis ? Notification.permission : "unsupported",
  }),
);
