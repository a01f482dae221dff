import type { OwnOrderRow } from "#server/orders/orders.own.service.ts";
import type { OrderState } from "#shared/order-states.ts";

export type OwnOrder = OwnOrderRow;

/** What each state means to the student. */
const STATE_TEXTS: Record<OrderState, string> = {
  placed: "The shop has it",
  printing: "Being printed",
  printed: "Printed",
  dispatched: "On its way to you",
  delivered: "Delivered",
  cancelled: "Cancelled by the shop",
};

export function stateText({ state }: OwnOrder): string {
  return STATE_TEXTS[state];
}

const MOMENT = new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short" });

/** Such as `21 Nov 2026, 4:05 pm`. */
export function momentText(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** Such as `32 pages × 2`. */
export function jobText({ pages, copies }: OwnOrder): string {
  return `${counted(pages, "page")} × ${copies}`;
}

/** What became of the files: the store's word is that they are deleted once printed. */
export function filesText({ files }: OwnOrder): string {
  const isOne = files.count === 1;
  const name = isOne ? "Your file" : `Your ${files.count} files`;
  switch (files.status) {
    case "kept":
      return `${name} ${isOne ? "is" : "are"} deleted once printed.`;
    case "deleting":
      return `${name} ${isOne ? "is" : "are"} being deleted.`;
    case "deleted":
      return `${name} ${isOne ? "was" : "were"} deleted ${momentText(files.at)}.`;
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
