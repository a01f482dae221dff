import { CloseButton } from "@mantine/core";
import { useDidUpdate } from "@mantine/hooks";
import { create } from "zustand";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { showRefusal } from "../../lib/notices.tsx";
import classes from "./order-error.module.css";
import type { MovableOrder } from "./order-types.ts";

interface OrderErrorProps {
  order: Pick<MovableOrder, "id" | "number" | "heldAt">;
  className?: string;
}

/** Why the last action on this order failed, where the order is; nothing if it worked. */
export function OrderError({ order: { id, number, heldAt }, className = "" }: OrderErrorProps) {
  const message = useOrderError(id);
  // What was refused because it is on hold can be done once it is released.
  useDidUpdate(() => {
    if (!heldAt) clearOrderErrors([id]);
  }, [heldAt]);
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

/** Shows it where the order is, or in a notice if that is not on the screen. */
export function showOrderError(orderId: string, message: string, title?: string): void {
  if (isOrderShown(orderId)) useOrderErrors.setState({ [orderId]: message });
  else showRefusal(message, title);
}

export function clearOrderErrors(orderIds: readonly string[]): void {
  useOrderErrors.setState(
    (errors) => Object.fromEntries(Object.entries(errors).filter(([id]) => !orderIds.includes(id))),
    true,
  );
}

/** Whether the order is open, or its card or row is in sight and not further down the page, so that its error is seen there. */
function isOrderShown(orderId: string): boolean {
  const element = document.querySelector(`[data-order-id="${CSS.escape(orderId)}"]`);
  if (!element?.checkVisibility()) return false;
  if (element.ariaExpanded === "true") return true;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
