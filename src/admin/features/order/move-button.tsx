import { Button, type ButtonProps } from "@mantine/core";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { useIsJustMoved } from "./just-moved.store.ts";
import { nextMoveName } from "./order-labels.ts";
import type { MovableOrder } from "./order-types.ts";
import type { MoveOn } from "./use-moves.ts";

interface MoveButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  moveOn: MoveOn;
  /** Add the order's number to the label, for lists. */
  namesOrder?: boolean;
  /** Out of the tab order; there is a shortcut for it. */
  tabIndex?: -1;
}

/** Moves an order to its next state; nothing if there is none. Disabled for a second after a move. */
export function MoveButton({ order, moveOn, namesOrder = false, ...props }: MoveButtonProps) {
  const isJustMoved = useIsJustMoved(order.id);
  const next = nextMoveName(order);
  if (!next) return null;
  // Not `disabled`, which would lose the focus.
  return (
    <Button
      {...props}
      onClick={(event) => {
        ignoreSecondPress(event);
        moveOn([order]);
      }}
      aria-label={namesOrder ? `${next}: order ${order.number}` : undefined}
      aria-disabled={isJustMoved}
      data-disabled={isJustMoved || undefined}
    >
      {next}
    </Button>
  );
}
