import { awaitsPickup } from "#shared/order-states.ts";
import { ignoreRepeats, useShortcuts } from "../../lib/shortcuts.ts";
import { canGoBack } from "../order/back-button.tsx";
import { isAnyJustMoved } from "../order/just-moved.store.ts";
import { useFindOrder } from "../order/order-cache.ts";
import { useMoveBack } from "../order/use-moves.ts";
import type { OrderActions } from "./order-actions.ts";
import {
  type Direction,
  focusedOrder,
  focusNeighbour,
  focusOrder,
  followOrder,
  neighbourOf,
} from "./order-focus.ts";
import type { OrdersView } from "./orders-search.ts";
import { SEARCH_ID } from "./search-orders.tsx";
import type { Selection } from "./use-selection.ts";

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
    // It asks for its code first, and moves the focus afterwards.
    if (!awaitsPickup(order)) passFocus(order.id);
    actions.moveOn([order]);
  }

  function moveBack(): void {
    const order = current();
    if (order && canGoBack(order)) back([order]);
  }

  /** The focus stays on an open order, otherwise it moves to the next one in the list. */
  function passFocus(orderId: string): void {
    const neighbour = neighbourOf(orderId);
    if (orderId === openId) followOrder(orderId);
    else if (neighbour) focusOrder(neighbour);
  }

  function choose(): void {
    const order = current();
    if (order) actions.choose(order);
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
    { keys: "M", label: "Move to the next state", run: ignoreRepeats(moveOn) },
    { keys: "U", label: "Back to printing", run: ignoreRepeats(moveBack) },
    { keys: "X", label: "Select, to move several together", run: ignoreRepeats(choose) },
    { keys: "Escape", label: "Clear selection, or close the order", run: ignoreRepeats(leave) },
    { keys: "/", label: "Search", run: () => document.getElementById(SEARCH_ID)?.focus() },
    { keys: "B", label: "Board", run: () => show("board") },
    { keys: "T", label: "Table", run: () => show("table") },
  ]);
}
