import type { OrdersView } from "../../lib/screen-searches.ts";
import { ignoreRepeats, useShortcuts } from "../../lib/shortcuts.tsx";
import { isAnyJustMoved, lastMove, startHandOver } from "../order/moves.store.ts";
import { canGoBack } from "../order/order-buttons.tsx";
import { useFindOrder } from "../order/order-cache.ts";
import { showOrderError } from "../order/order-error.tsx";
import { asksAtEnd, canHandOverEarly, onHoldText } from "../order/order-labels.ts";
import type { MovableOrder } from "../order/order-types.ts";
import { hasParts, notesBefore } from "../order/print-questions.store.ts";
import { useMoveBack } from "../order/use-moves.ts";
import { usePrint } from "../order/use-print.ts";
import type { OrderActions, Selection } from "./order-actions.ts";
import { SEARCH_ID } from "./order-filters.tsx";
import {
  type Direction,
  focusedOrder,
  focusNeighbour,
  focusOrder,
  followOrder,
  neighbourOf,
} from "./order-focus.ts";

interface ShortcutOptions {
  openId: string | undefined;
  show: (view: OrdersView) => void;
  actions: OrderActions;
  selection: Selection;
}

/** Keyboard shortcuts for all of the orders screen. Keys that change something do not repeat when held down. */
export function useOrderShortcuts({ openId, show, actions, selection }: ShortcutOptions): void {
  const findKnown = useFindOrder();
  const back = useMoveBack();
  const print = usePrint();
  const current = () => findKnown(focusedOrder() ?? openId);

  /** The open order follows the focus. */
  function go(direction: Direction): void {
    const reached = focusNeighbour(direction, openId);
    if (openId && reached) actions.open(reached);
  }

  /** A double press moves only once, as the new focus or next step was not seen in between. */
  function moveOn(): void {
    if (isAnyJustMoved()) return;
    if (selection.orders.length > 0) {
      actions.moveOn(selection.orders);
      selection.clear();
      return;
    }
    const order = current();
    if (!order) return;
    // It asks for its code or the money first, and moves the focus afterwards.
    if (!asksAtEnd(order)) passFocus(order.id);
    actions.moveOn([order]);
  }

  /** Prints the selected orders as one pack, or the current one. */
  function printNow(): void {
    if (isAnyJustMoved()) return;
    const order = current();
    const orders = selection.orders.length > 0 ? selection.orders : order ? [order] : [];
    const [only, second] = orders;
    // Where something is asked first, the focus stays on the order.
    const asksFirst = only && (hasParts(only) || notesBefore([only]).length > 0);
    if (only?.state === "placed" && !second && !asksFirst) passFocus(only.id);
    print(orders, { onSettled: selection.remove });
  }

  /** Hands over the current order, or the one that was just moved if the focus went on to one that is not printed yet. */
  function handOver(): void {
    const order = [current(), lastMoved()].find(
      (order) => order && !order.heldAt && (canHandOverEarly(order) || asksAtEnd(order)),
    );
    if (order) startHandOver(order);
  }

  /**
   * Takes back the last move while the board tells of it, otherwise moves the current order back. Where neither can be, the
   * server says who was first.
   */
  function moveBack(): void {
    const last = lastMove();
    const order = current();
    if (last?.undo && lastMoved()) last.undo();
    else if (order && canGoBack(order)) back(order);
    else last?.undo?.();
  }

  /** The first order of the last move, if it is where it was moved to. */
  function lastMoved(): MovableOrder | undefined {
    const last = lastMove();
    const order = findKnown(last?.orders[0]?.id);
    return order?.state === last?.to ? order : undefined;
  }

  /** The focus stays on an open order and on the last of its list, otherwise it moves to the next one. */
  function passFocus(orderId: string): void {
    const neighbour = neighbourOf(orderId);
    if (orderId === openId || !neighbour) followOrder(orderId);
    else focusOrder(neighbour);
  }

  function choose(): void {
    const order = current();
    if (!order) return;
    // One on hold has no next step; it may have been selected before.
    if (order.heldAt && !selection.orders.some(({ id }) => id === order.id))
      showOrderError(order.id, onHoldText(order), "The order was not selected");
    else actions.choose(order);
  }

  function leave(): void {
    if (selection.orders.length > 0) selection.clear();
    else if (openId) {
      focusOrder(openId);
      actions.open(undefined);
    }
  }

  useShortcuts("Orders", [
    { keys: "J", label: "Next order (or ↓)", run: () => go("next") },
    { keys: "K", label: "Previous order (or ↑)", run: () => go("previous") },
    { keys: "L", label: "Column to the right (or →)", run: () => go("right") },
    { keys: "H", label: "Column to the left (or ←)", run: () => go("left") },
    { keys: "Enter", label: "Open the order" },
    { keys: "P", label: "Print, and move to printing", run: ignoreRepeats(printNow) },
    { keys: "M", label: "Move to the next state", run: ignoreRepeats(moveOn) },
    { keys: "D", label: "Hand over, also while it is being printed", run: ignoreRepeats(handOver) },
    { keys: "U", label: "Undo the move, or back to printing", run: ignoreRepeats(moveBack) },
    { keys: "X", label: "Select, to move several together", run: ignoreRepeats(choose) },
    { keys: "Escape", label: "Clear selection, or close the order", run: ignoreRepeats(leave) },
    { keys: "/", label: "Search", run: () => document.getElementById(SEARCH_ID)?.focus() },
    { keys: "B", label: "Board", run: () => show("board") },
    { keys: "T", label: "Table", run: () => show("table") },
  ]);
}
