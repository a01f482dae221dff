import { create } from "zustand";

/** By order id: why the last action on the order failed, shown on its card or row until it is closed or works. */
const useOrderErrors = create<Readonly<Record<string, string>>>(() => ({}));

export function useOrderError(orderId: string): string | undefined {
  return useOrderErrors((errors) => errors[orderId]);
}

export function setOrderError(orderId: string, message: string): void {
  useOrderErrors.setState({ [orderId]: message });
}

export function clearOrderErrors(orderIds: readonly string[]): void {
  useOrderErrors.setState(
    (errors) => Object.fromEntries(Object.entries(errors).filter(([id]) => !orderIds.includes(id))),
    true,
  );
}

/** Whether the order's card, row or panel is on the screen, so that its error is seen there. */
export function isOrderShown(orderId: string): boolean {
  const element = document.querySelector(`[data-order-id="${CSS.escape(orderId)}"]`);
  return element?.checkVisibility() ?? false;
}
