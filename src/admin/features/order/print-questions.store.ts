import { create } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { partTitle } from "#shared/order-jobs.ts";
import type { SizeNote, Sizes } from "#shared/paper-sizes.ts";
import { pagesText } from "#shared/print-pages.ts";
import type { MovableOrder } from "./order-types.ts";

/** An order of which one part after another is printed: each needs its own settings of the printer, or its own printer. */
export interface PartsAsked {
  /** As the clerk saw it. */
  order: MovableOrder;
  /** Whether a part was opened since, so that this clerk prints the order. */
  isBegun?: boolean;
  /** @param part from 1 */
  print: (order: MovableOrder, part: number) => void;
}

export const useAskedParts = create<{ asked: PartsAsked | null }>(() => ({ asked: null }));

/** Which parts were opened in this tab, by `keyOf`. */
const useOpenedParts = create<{ opened: ReadonlySet<string> }>(() => ({ opened: new Set() }));

export function endAskingParts(): void {
  useAskedParts.setState({ asked: null });
}

export function hasParts({ parts }: MovableOrder): boolean {
  return parts.length > 0;
}

/** Such as "Part 1 of 2: 14 pages, Black & White". */
export function partText({ name, pages }: MovableOrder["parts"][number], at: number, of: number): string {
  return `${partTitle(at, of)}: ${[pagesText(pages), name].filter(Boolean).join(", ")}`;
}

/** Prints an order of one part at once, and of others the parts that the clerk chooses. */
export function askParts(
  order: MovableOrder,
  print: (order: MovableOrder, part: number | undefined) => void,
): void {
  if (hasParts(order)) useAskedParts.setState({ asked: { order, print } });
  else print(order, undefined);
}

export function markOpened(order: MovableOrder, part: number): void {
  useOpenedParts.setState(({ opened }) => ({ opened: new Set([...opened, keyOf(order, part)]) }));
  useAskedParts.setState(({ asked }) => ({
    asked: asked?.order.id === order.id ? { ...asked, isBegun: true } : asked,
  }));
}

/** An order on hold may come back with other files. */
export function forgetOpened(id: string): void {
  useOpenedParts.setState(({ opened }) => ({
    opened: new Set([...opened].filter((key) => !key.startsWith(id))),
  }));
}

function keyOf({ id, parts }: MovableOrder, part: number): string {
  return `${id} ${part} ${JSON.stringify(parts)}`;
}

/** Of each part whether its pack was opened in this tab. */
export function useAreOpened(order: MovableOrder): boolean[] {
  return useOpenedParts(
    useShallow(({ opened }) => order.parts.map((_part, at) => opened.has(keyOf(order, at + 1)))),
  );
}

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
