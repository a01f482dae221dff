import { CloseButton } from "@mantine/core";
import classes from "./order-error.module.css";
import { clearOrderErrors, useOrderError } from "./order-errors.store.ts";

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
