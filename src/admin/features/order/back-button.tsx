import { ActionIcon, Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbArrowBackUp from "~icons/tabler/arrow-back-up";
import { serverNow, useNow } from "../../lib/clock.ts";
import type { MovableOrder } from "./order-types.ts";
import { useMoveBack } from "./use-moves.ts";

interface BackButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  /** Only an arrow, with the order's number in its label, in lists. */
  isIcon?: boolean;
  tabIndex?: -1;
}

/** Whether an order can go a state back: a printed one until its files are deleted, one that is printed now unless it is on hold. */
export function canGoBack({ state, filesDeleteAt, heldAt }: MovableOrder, now = serverNow()): boolean {
  if (state === "printing") return !heldAt;
  return state === "printed" && filesDeleteAt !== null && Date.parse(filesDeleteAt) > now;
}

/** Moves an order a state back, such as after a paper jam; nothing if that is too late. */
export function BackButton({ order, isIcon = false, ...props }: BackButtonProps) {
  const moveBack = useMoveBack();
  if (!canGoBack(order, useNow())) return null;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    ignoreSecondPress(event);
    moveBack(order);
  };
  const back = order.state === "printed" ? "Back to printing" : "Back to placed";
  if (isIcon) {
    return (
      <ActionIcon
        variant="default"
        size={26}
        tabIndex={props.tabIndex}
        title={`Undo: ${back.toLowerCase()}`}
        aria-label={`${back}: order ${order.number}`}
        onClick={press}
      >
        <TbArrowBackUp size={16} />
      </ActionIcon>
    );
  }
  return (
    <Button {...props} leftSection={<TbArrowBackUp size={16} />} onClick={press}>
      {back}
    </Button>
  );
}
