import { type KeyboardEvent, useCallback } from "react";

/** The order whose card gets the focus once it is in its new column. */
let awaited: string | null = null;

/** Keeps the focus on an order that moves to another column; in the table it does not move. */
export function followOrder(orderId: string): void {
  const element = elementOf(orderId);
  awaited = element && columnOf(element) ? orderId : null;
}

/** Ref of the element that focuses and opens an order. */
export function useOrderFocus(orderId: string): (element: HTMLElement | null) => void {
  return useCallback(
    (element) => {
      if (!element || awaited !== orderId) return;
      awaited = null;
      // Not out of a field that somebody types into while the order moves.
      if (!document.activeElement?.closest("input, textarea, [role=dialog]")) element.focus();
    },
    [orderId],
  );
}

/** The order that has the focus. */
export function focusedOrder(): string | undefined {
  return document.activeElement instanceof HTMLElement ? document.activeElement.dataset.orderId : undefined;
}

export function showOrder(orderId: string): void {
  elementOf(orderId)?.scrollIntoView({ block: "nearest" });
}

export function focusOrder(orderId: string): void {
  elementOf(orderId)?.focus();
}

export type Direction = "next" | "previous" | "left" | "right";

/**
 * Moves the focus from the focused order, or from `otherwise`, to the one beside it; without either, to the first.
 * @returns the order that has the focus then
 */
export function focusNeighbour(direction: Direction, otherwise?: string): string | undefined {
  const current = elementOf(focusedOrder() ?? otherwise);
  const target = current ? beside(current, direction) : visibleOrders()[0];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
  return target?.dataset.orderId;
}

/** The order below, or above at the end of the list: the next one when this order leaves the list. */
export function neighbourOf(orderId: string): string | undefined {
  const element = elementOf(orderId);
  if (!element) return undefined;
  const orders = visibleOrders(columnOf(element));
  const index = orders.indexOf(element);
  return (orders[index + 1] ?? orders[index - 1])?.dataset.orderId;
}

const ARROWS: Record<string, Direction> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** Key handler of the element around orders: arrow keys move between them, or scroll if none has the focus. */
export function moveByArrows(event: KeyboardEvent): void {
  const direction = ARROWS[event.key];
  if (!direction || !focusedOrder()) return;
  event.preventDefault();
  focusNeighbour(direction);
}

function beside(element: HTMLElement, direction: Direction): HTMLElement | undefined {
  const column = columnOf(element);
  const orders = visibleOrders(column);
  const index = orders.indexOf(element);
  if (direction === "next") return orders[index + 1];
  if (direction === "previous") return orders[index - 1];
  const columns = [...document.querySelectorAll("[data-column]")];
  const others = columns.filter((other) => other === column || visibleOrders(other).length > 0);
  const place = column ? others.indexOf(column) : -1;
  const neighbours = visibleOrders(others[direction === "right" ? place + 1 : place - 1] ?? column);
  return neighbours[Math.min(index, neighbours.length - 1)];
}

function visibleOrders(within: ParentNode | null = document): HTMLElement[] {
  const orders = (within ?? document).querySelectorAll<HTMLElement>("[data-order-id]");
  return [...orders].filter((order) => order.checkVisibility());
}

function columnOf(element: HTMLElement): Element | null {
  return element.closest("[data-column]");
}

function elementOf(orderId: string | undefined): HTMLElement | null {
  if (!orderId) return null;
  return document.querySelector<HTMLElement>(`[data-order-id="${CSS.escape(orderId)}"]`);
}
