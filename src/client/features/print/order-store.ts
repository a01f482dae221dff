import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { localItems } from "../../lib/storage.ts";
import type { OrderDataRequest } from "./order-data.ts";

/** The client state `order` of the contract, stored in local storage, from which stored-order.ts reads it. */
export interface OrderState {
  address: DeliveryAddress | null;
  orderData: OrderDataRequest | null;
}

export const order = createStore<OrderState>(() => ({ address: null, orderData: null }));
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

/** Whether this tab or another one has stored other order data than this since. */
export function isOtherStored(orderData: OrderDataRequest): boolean {
  const stored = localItems.get("orderData") ?? order.getState().orderData;
  return stored !== null && JSON.stringify(stored) !== JSON.stringify(orderData);
}

/** Clears order data and address. */
export function clearOrder(): void {
  localItems.remove("orderData");
  localItems.remove("address");
  order.setState({ orderData: null, address: null });
}
