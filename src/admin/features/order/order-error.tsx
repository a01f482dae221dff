import { CloseButton } from "@mantine/core";
import { create } from "zustand";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import classes from "./order-error.module.css";

interface OrderErrorProps {
  order: { id: string; number: string };
  className?: string;
}

/** Why the last action on this order failed, where the order is; nothing if it worked. */
export function OrderError({ order: { id, number }, className = "" }: OrderErrorProps) {
  const message = useOrderError(id);
  if (!message) return null;
  return (
    <div role="alert" className={`${classes.error} ${className}`}>
      <span>{message}</span>
      <CloseButton
        size="sm"
        tabIndex={-1}
        aria-label={`Close the message about order ${number}`}
        onClick={() => clearOrderErrors([id])}
      />
    </div>
  );
}

/** By order id: why the last action on the order failed, shown on its card or row until it is closed or works. */
const useOrderErrors = create<Readonly<Record<string, string>>>(() => ({}));
onPersonalDataCleared(() => useOrderErrors.setState({}, true));

function useOrderError(orderId: string): string | undefined {
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

/** Whether the order is open, or its card or row is in sight and not further down the page, so that its error is seen there. */
export function isOrderShown(orderId: string): boolean {
  const element = document.querySelector(`[data-order-id="${CSS.escape(orderId)}"]`);
  if (!element?.checkVisibility()) return false;
  if (element.ariaExpanded === "true") return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
