import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { localItems } from "../../lib/storage.ts";
import type { OrderDataRequest } from "./order-data.ts";

/** The client state `order` of the contract, stored in local storage, from which the checkout reads it. */
export interface OrderState {
  address: DeliveryAddress | null;
  orderData: OrderDataRequest | null;
}

export const orderStore = createStore<OrderState>(() => ({ address: null, orderData: null }));
onPersonalDataCleared(() => orderStore.setState({ orderData: null, address: null }));

/** The order of this user; an order of somebody else in this browser is not shown. */
export function useOrder(userEmail: string): OrderState {
  const { address, orderData } = useStore(orderStore);
  return { address, orderData: orderData?.userEmail === userEmail ? orderData : null };
}

export function saveOrderData(orderData: OrderDataRequest): void {
  localItems.set("orderData", orderData);
  orderStore.setState({ orderData });
}

export function saveOrderAddress(address: DeliveryAddress): void {
  localItems.set("address", address);
  orderStore.setState({ address });
}

/** Whether this tab or another one has stored other order data than this since. */
export function isOtherStored(orderData: OrderDataRequest): boolean {
  const stored = localItems.get("orderData") ?? orderStore.getState().orderData;
  return stored !== null && JSON.stringify(stored) !== JSON.stringify(orderData);
}

/** Clears the stored order, with its address, where each of its files is one of these. */
export function clearOrderOf(urls: readonly string[]): void {
  const stored = localItems.get("orderData") ?? orderStore.getState().orderData;
  const { filesUrl } = (stored ?? {}) as Partial<OrderDataRequest>;
  if (Array.isArray(filesUrl) && filesUrl.every((url) => urls.includes(url))) clearOrder();
}

/** Clears order data and address. */
export function clearOrder(): void {
  localItems.remove("orderData");
  localItems.remove("address");
  orderStore.setState({ orderData: null, address: null });
}
