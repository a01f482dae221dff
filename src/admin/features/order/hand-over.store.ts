import { create } from "zustand";
import type { Movable } from "./movable.ts";

/** The pickup order that somebody is asked the code of. */
export const useHandOver = create<{ order: Movable | null }>(() => ({ order: null }));

export function startHandOver(order: Movable): void {
  useHandOver.setState({ order });
}

export function endHandOver(): void {
  useHandOver.setState({ order: null });
}
