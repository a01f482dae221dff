import { ActionIcon, Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbArrowRight from "~icons/tabler/arrow-right";
import { useIsJustMoved } from "./just-moved.store.ts";
import { nextMoveName } from "./order-labels.ts";
import type { MovableOrder } from "./order-types.ts";
import type { MoveOn } from "./use-moves.ts";

interface MoveButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  moveOn: MoveOn;
  /** Add the order's number to the label, for lists. */
  namesOrder?: boolean;
  /** Only an arrow, where another button does more than this step. */
  isIcon?: boolean;
  /** Out of the tab order; there is a shortcut for it. */
  tabIndex?: -1;
}

/** Moves an order to its next state; nothing if there is none. Disabled for a second after a move. */
export function MoveButton({ order, moveOn, namesOrder = false, isIcon = false, ...props }: MoveButtonProps) {
  const isJustMoved = useIsJustMoved(order.id);
  const next = nextMoveName(order);
  if (!next) return null;
  // Not `disabled`, which would lose the focus.
  const press = {
    onClick(event: MouseEvent<HTMLButtonElement>) {
      ignoreSecondPress(event);
      moveOn([order]);
    },
    "aria-label": namesOrder ? `${next}: order ${order.number}` : undefined,
    "aria-disabled": isJustMoved,
    "data-disabled": isJustMoved || undefined,
  };
  if (isIcon) {
    return (
      <ActionIcon {...press} variant="default" size={26} title={next} tabIndex={props.tabIndex}>
        <TbArrowRight size={16} />
      </ActionIcon>
    );
  }
  return (
    <Button {...props} {...press}>
      {next}
    </Button>
  );
}
