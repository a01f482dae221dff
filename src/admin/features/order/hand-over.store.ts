import { create } from "zustand";
import type { MovableOrder } from "./order-types.ts";

/** The pickup order whose code is being entered. */
export const useHandOver = create<{ order: MovableOrder | null }>(() => ({ order: null }));

export function startHandOver(order: MovableOrder): void {
  useHandOver.setState({ order });
}

export function endHandOver(): void {
  useHandOver.setState({ order: null });
}
