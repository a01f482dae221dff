import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { LiveStatus } from "#ui/live-events.ts";

interface LiveState {
  status: LiveStatus;
  /** Orders that came since somebody last touched this tab. */
  unseen: number;
}

export const useLive = create<LiveState>(() => ({ status: "connecting", unseen: 0 }));

/** Whether this browser chimes for a new order. */
export const useSound = create(persist(() => ({ isOn: true }), { name: "console-sound" }));
