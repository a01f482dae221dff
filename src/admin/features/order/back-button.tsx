import { Button, type ButtonProps } from "@mantine/core";
import { TbArrowBackUp } from "react-icons/tb";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { useNow } from "../../lib/clock.ts";
import type { MovableOrder } from "./order-types.ts";
import { useMoveBack } from "./use-moves.ts";

interface BackButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  /** Add the order's number to the label, for lists. */
  namesOrder?: boolean;
  tabIndex?: -1;
}

/** Whether a printed order can go back to printing: only until its files are deleted. */
export function canGoBack({ state, filesDeleteAt }: MovableOrder, now = Date.now()): boolean {
  return state === "printed" && filesDeleteAt !== null && Date.parse(filesDeleteAt) > now;
}

/** Moves a printed order back to printing, such as after a paper jam; nothing if that is too late. */
export function BackButton({ order, namesOrder = false, ...props }: BackButtonProps) {
  const moveBack = useMoveBack();
  if (!canGoBack(order, useNow())) return null;
  return (
    <Button
      {...props}
      leftSection={<TbArrowBackUp size={16} aria-hidden="true" />}
      onClick={(event) => {
        ignoreSecondPress(event);
        moveBack([order]);
      }}
      aria-label={namesOrder ? `Back to printing: order ${order.number}` : undefined}
    >
      {namesOrder ? "Back" : "Back to printing"}
    </Button>
  );
}
