import type { Fulfilment } from "./order-states.ts";

/** The words before a promised time. A delivery is printed by then, and still on its way. */
export function promiseLabel(fulfilment: Fulfilment): string {
  return fulfilment === "delivery" ? "Printed by" : "Ready by";
}
