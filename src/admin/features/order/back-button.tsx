import { ActionIcon, Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbArrowBackUp from "~icons/tabler/arrow-back-up";
import { useNow } from "../../lib/clock.ts";
import type { MovableOrder } from "./order-types.ts";
import { useMoveBack } from "./use-moves.ts";

interface BackButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  /** Add the order's number to the label, for lists. */
  namesOrder?: boolean;
  /** Only an arrow, with the order's number in its label. */
  isIcon?: boolean;
  tabIndex?: -1;
}

/** Whether a printed order can go back to printing: only until its files are deleted. */
export function canGoBack({ state, filesDeleteAt }: MovableOrder, now = Date.now()): boolean {
  return state === "printed" && filesDeleteAt !== null && Date.parse(filesDeleteAt) > now;
}

/** Moves a printed order back to printing, such as after a paper jam; nothing if that is too late. */
export function BackButton({ order, namesOrder = false, isIcon = false, ...props }: BackButtonProps) {
  const moveBack = useMoveBack();
  if (!canGoBack(order, useNow())) return null;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    ignoreSecondPress(event);
    moveBack([order]);
  };
  const label = `Back to printing: order ${order.number}`;
  if (isIcon) {
    return (
      <ActionIcon
        variant="default"
        size={26}
        tabIndex={props.tabIndex}
        title="Undo: back to printing"
        aria-label={label}
        onClick={press}
      >
        <TbArrowBackUp size={16} />
      </ActionIcon>
    );
  }
  return (
    <Button
      {...props}
      leftSection={<TbArrowBackUp size={16} />}
      onClick={press}
      aria-label={namesOrder ? label : undefined}
    >
      {namesOrder ? "Back" : "Back to printing"}
    </Button>
  );
}
