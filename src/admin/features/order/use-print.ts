import { useCallback } from "react";
import { create } from "zustand";
import { counted } from "#shared/format.ts";
import { isUnprinted } from "#shared/order-states.ts";
import { messageOf } from "#ui/errors.ts";
import { serverNow } from "../../lib/clock.ts";
import { showRefusal } from "../../lib/notices.tsx";
import { useCheckSession } from "../../lib/session.ts";
import { clearOrderErrors, showOrderError } from "./order-error.tsx";
import type { MovableOrder } from "./order-types.ts";
import { fetchPack, openPackTab, PackRefused, type PackWishes, showPack } from "./print-pack.ts";
import { askParts, askSizes, hasParts, markOpened } from "./print-questions.store.ts";
import { useMoveGroup } from "./use-moves.ts";

/** Orders whose pack is being made in this tab. */
const usePreparing = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

/** Whether a pack with any of these orders is being made. */
export function useIsPreparing(orders: readonly MovableOrder[]): boolean {
  return usePreparing(({ ids }) => orders.some(({ id }) => ids.has(id)));
}

/** Whether the order's files can still be printed, and nothing is to be cleared up first. */
export function canPrint({ state, filesDeleteAt, heldAt }: MovableOrder, now = serverNow()): boolean {
  if (heldAt) return false;
  return state === "printed" ? areFilesKept({ filesDeleteAt }, now) : isUnprinted(state);
}

/** Whether the files of a printed order are not deleted yet. */
export function areFilesKept({ filesDeleteAt }: Pick<MovableOrder, "filesDeleteAt">, now: number): boolean {
  return filesDeleteAt !== null && Date.parse(filesDeleteAt) > now;
}

interface PrintOptions {
  /** Is told which of them are in a pack now or cannot be printed any more. */
  onSettled?: (orderIds: readonly string[]) => void;
  /** Whether those that wait are left where they are. */
  stays?: boolean;
}
type Print = (orders: readonly MovableOrder[], options?: PrintOptions) => void;

/**
 * Opens one pack of these orders, or of a part of one that has several, and moves those that wait to printing. They are moved
 * once the pack is made, so that an order whose files cannot be printed stays where it is. The pack is shown once they are
 * moved, without those that could not be, so that two people do not print one order.
 * Where pages have another size than the ordered paper, the clerk is asked first. Among several orders those with parts are left
 * out: each part needs its own settings of the printer.
 */
export function usePrint(): Print {
  const moveGroup = useMoveGroup();
  const checkSession = useCheckSession();
  return useCallback(
    (chosen, options) => {
      const printable = chosen.filter((order) => canPrint(order) && !isPreparing(order));
      const [only, second] = printable;
      if (!only) return;
      if (!second) {
        askParts(only, (order, part) => {
          if (isPreparing(order)) return;
          askSizes([order], part, (sizes) => {
            void print([order], { ...options, part, sizes, checkSession }, moveGroup);
          });
        });
        return;
      }
      showLeftOut(printable.filter(hasParts));
      const orders = printable.filter((order) => !hasParts(order));
      if (orders.length > 0)
        askSizes(orders, undefined, (sizes) => {
          void print(orders, { ...options, sizes, checkSession }, moveGroup);
        });
    },
    [moveGroup, checkSession],
  );
}

function isPreparing({ id }: MovableOrder): boolean {
  return usePreparing.getState().ids.has(id);
}

function showLeftOut(orders: MovableOrder[]): void {
  if (orders.length === 0) return;
  const each = orders.map(
    ({ number, parts }) =>
      `Order ${number} has ${counted(parts.length, "part")} with different printer settings: print it by itself`,
  );
  showRefusal(
    each.join(". "),
    orders.length === 1 ? "One order is not in the pack" : `${orders.length} orders are not in the pack`,
  );
}

async function print(
  orders: readonly MovableOrder[],
  { onSettled, stays = false, ...wishes }: PackWishes & PrintOptions,
  moveGroup: ReturnType<typeof useMoveGroup>,
): Promise<void> {
  const ids = orders.map(({ id }) => id);
  clearOrderErrors(ids);
  let tab: Window | undefined;
  try {
    tab = openPackTab(orders);
    usePreparing.setState((before) => ({ ids: new Set([...before.ids, ...ids]) }));
    let url = await fetchPack(tab, orders, wishes);
    const waiting = stays ? [] : orders.filter(({ state }) => state === "placed");
    const moved = waiting.length > 0 ? await moveGroup(waiting, "printing") : [];
    onSettled?.(ids);
    const ours = orders.filter((order) => !waiting.includes(order) || moved.includes(order.id));
    if (ours.length === 0) tab.close();
    else {
      if (ours.length < orders.length) {
        URL.revokeObjectURL(url);
        url = await fetchPack(tab, ours, wishes);
      }
      showPack(tab, url);
      const [first] = orders;
      if (first && wishes.part) markOpened(first, wishes.part);
    }
  } catch (error) {
    tab?.close();
    const message = messageOf(error);
    const refused = error instanceof PackRefused ? error.orderIds : [];
    onSettled?.(refused);
    const [first] = orders;
    const hasRest = refused.length > 0 && refused.length < orders.length;
    if (first && orders.length === 1) showOrderError(first.id, message);
    else showRefusal(hasRest ? `${message}. Press Print again for the rest` : message);
  } finally {
    usePreparing.setState((before) => ({ ids: new Set([...before.ids].filter((id) => !ids.includes(id))) }));
  }
}
