import type { z } from "zod";
import { deliveryAddress, orderData } from "#shared/schemas/orders.ts";
import { localItems } from "../../lib/storage.ts";
import { type OrderState, order } from "../print/order-store.ts";

// Apart from the store, so that the page before the checkout loads no schemas.

/** Reads what is stored of the order, except what this tab has set before. */
export function loadOrder(): void {
  const { address, orderData } = readOrder();
  order.setState((known) => ({
    address: known.address ?? address,
    orderData: known.orderData ?? orderData,
  }));
}

/** Updates the order when another tab places or changes it. */
export function followOtherTabs(): () => void {
  const follow = () => order.setState(readOrder());
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

function readOrder(): OrderState {
  return {
    address: readable(deliveryAddress, localItems.get("address")),
    orderData: readable(orderData, localItems.get("orderData")),
  };
}

/** The stored value if it matches the present schema, else null. */
function readable<Value>(schema: z.ZodType, value: Value | null): Value | null {
  return schema.safeParse(value).success ? value : null;
}
