import { create } from "zustand";
import type { SizeNote, Sizes } from "#shared/paper-sizes.ts";
import type { MovableOrder } from "./order-types.ts";

/** Orders that are to be printed although pages of them have another size than the ordered paper. */
export interface SizesAsked {
  orders: readonly MovableOrder[];
  notes: { order: MovableOrder; note: SizeNote }[];
  print: (sizes: Sizes) => void;
}

export const useAskedSizes = create<{ asked: SizesAsked | null }>(() => ({ asked: null }));

export function endAskingSizes(): void {
  useAskedSizes.setState({ asked: null });
}

/** What is to be asked before these orders, or a part of one, from 1, are printed. */
export function notesBefore(orders: readonly MovableOrder[], part = 1): SizesAsked["notes"] {
  return orders.flatMap((order) => {
    const note = order.sizeNotes?.[part - 1];
    return note ? [{ order, note }] : [];
  });
}

/** Prints at once where there is nothing to ask, and otherwise as the clerk says. */
export function askSizes(
  orders: readonly MovableOrder[],
  part: number | undefined,
  print: (sizes: Sizes) => void,
): void {
  const notes = notesBefore(orders, part);
  if (notes.length === 0) print("fit");
  else useAskedSizes.setState({ asked: { orders, notes, print } });
}
