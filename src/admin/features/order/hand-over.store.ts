import { create } from "zustand";
import type { MovableOrder } from "./order-types.ts";

/** The pickup order that somebody is asked the code of. */
export const useHandOver = create<{ order: MovableOrder | null }>(() => ({ order: null }));

export function startHandOver(order: MovableOrder): void {
  useHandOver.setState({ order });
}

export function endHandOver(): void {
  useHandOver.setState({ order: null });
}
