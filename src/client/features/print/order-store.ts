import type { z } from "zod";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { type DeliveryAddress, deliveryAddress, orderData } from "#shared/schemas/orders.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { localItems } from "../../lib/storage.ts";
import type { OrderDataRequest } from "./order-data.ts";

/** The client state `order` of the contract, stored in local storage. */
interface OrderState {
  address: DeliveryAddress | null;
  orderData: OrderDataRequest | null;
}

const order = createStore<OrderState>(readOrder);
onPersonalDataCleared(() => order.setState({ orderData: null, address: null }));

/** The order of this user; an order of somebody else in this browser is not shown. */
export function useOrder(userEmail: string): OrderState {
  const { address, orderData } = useStore(order);
  return { address, orderData: orderData?.userEmail === userEmail ? orderData : null };
}

export function saveOrderData(orderData: OrderDataRequest): void {
  localItems.set("orderData", orderData);
  order.setState({ orderData });
}

export function saveAddress(address: DeliveryAddress): void {
  localItems.set("address", address);
  order.setState({ address });
}

/** Clears order data and address. */
export function clearOrder(): void {
  localItems.remove("orderData");
  localItems.remove("address");
  order.setState({ orderData: null, address: null });
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
