import { Button, type ButtonProps } from "@mantine/core";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { useIsJustMoved } from "./just-moved.store.ts";
import { nextMoveName } from "./order-labels.ts";
import type { MovableOrder } from "./order-types.ts";
import type { MoveOn } from "./use-moves.ts";

interface MoveButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  moveOn: MoveOn;
  /** In a list, where the button alone does not say of which order it is. */
  namesOrder?: boolean;
  /** Out of the way of the keyboard, which has a key for it. */
  tabIndex?: -1;
}

/** The next step of an order; nothing where there is none. For a moment after a step it takes no other. */
export function MoveButton({ order, moveOn, namesOrder = false, ...props }: MoveButtonProps) {
  const isJustMoved = useIsJustMoved(order.id);
  const next = nextMoveName(order);
  if (!next) return null;
  // Not `disabled`, by which it would lose the focus.
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
