import type { OwnOrderDetail } from "#server/orders/orders.detail.service.ts";
import type { FilesFate } from "#server/orders/orders.files-fate.ts";
import type { OwnOrderRow } from "#server/orders/orders.own.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import type { OrderPlace, OrderState } from "#shared/order-states.ts";

/** An order in the list of all. */
export type OwnOrder = OwnOrderRow;
/** An order on its own page. */
export type OrderDetail = OwnOrderDetail;

/** What each state means to the student. */
const STATE_TEXTS: Record<OrderState, string> = {
  placed: "The shop has it",
  printing: "Being printed",
  printed: "Printed",
  dispatched: "On its way to you",
  delivered: "Delivered",
  cancelled: "Cancelled by the shop",
};

/** The same, where it is different for an order that is fetched. */
const PICKUP_TEXTS: Partial<Record<OrderState, string>> = {
  printed: "Ready for pickup",
  delivered: "Picked up",
};

export function stateText({ state, fulfilment }: OrderPlace): string {
  return (fulfilment === "pickup" && PICKUP_TEXTS[state]) || STATE_TEXTS[state];
}

/** Such as `32 pages × 2`. */
export function jobText({ pages, copies }: { pages: number; copies: number }): string {
  return `${counted(pages, "page")} × ${copies}`;
}

/** What became of the files: the store's word is that they are deleted once printed. */
export function filesText({ files }: { files: FilesFate }): string {
  const isOne = files.count === 1;
  const name = isOne ? "Your file" : `Your ${files.count} files`;
  switch (files.status) {
    case "kept":
      return `${name} ${isOne ? "is" : "are"} deleted once printed.`;
    case "deleting":
      return `${name} ${isOne ? "is" : "are"} being deleted.`;
    case "deleted":
      return `Your documents were deleted on ${indianTime(files.at)}.`;
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-IN")} ${noun}${count === 1 ? "" : "s"}`;
}
