import { ActionIcon, Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent } from "react";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import TbArrowBackUp from "~icons/tabler/arrow-back-up";
import TbArrowRight from "~icons/tabler/arrow-right";
import TbPrinter from "~icons/tabler/printer";
import TbUserCheck from "~icons/tabler/user-check";
import { serverNow, useNow } from "../../lib/clock.ts";
import { startHandOver, useIsJustMoved } from "./moves.store.ts";
import { canHandOverEarly, nextMoveName } from "./order-labels.ts";
import type { MovableOrder } from "./order-types.ts";
import { hasParts } from "./print-questions.store.ts";
import { type MoveOn, useMoveBack } from "./use-moves.ts";
import { areFilesKept, canPrint, useIsPreparing, usePrint } from "./use-print.ts";

interface PrintButtonProps extends Pick<ButtonProps, "className" | "size"> {
  order: MovableOrder;
  /** Out of the tab order; there is a shortcut for it. */
  tabIndex?: -1;
}

/** Prints a waiting order; an icon to print again while its files exist; nothing afterwards. */
export function PrintButton({ order, size, className, ...press }: PrintButtonProps) {
  const print = usePrint();
  const isPreparing = useIsPreparing([order]);
  if (!canPrint(order, useNow())) return null;
  const common = {
    ...press,
    ...(className && { className }),
    loading: isPreparing,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      // A dialog comes up, with buttons that a second press could hit.
      if (hasParts(order)) ignoreSecondPress(event);
      print([order]);
    },
  };
  if (order.state === "placed") {
    return (
      <Button
        {...common}
        {...(size && { size })}
        leftSection={<TbPrinter size={16} />}
        aria-label={`Print: order ${order.number}`}
      >
        Print
      </Button>
    );
  }
  return (
    <ActionIcon
      {...common}
      size={size === "compact-sm" ? 26 : 36}
      variant="default"
      aria-label={`Print again: order ${order.number}`}
      title="Print again"
    >
      <TbPrinter size={16} />
    </ActionIcon>
  );
}

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
    onClick: pressOnce(() => moveOn([order])),
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

interface BackButtonProps extends Omit<ButtonProps, "children"> {
  order: MovableOrder;
  /** Only an arrow, with the order's number in its label, in lists. */
  isIcon?: boolean;
  tabIndex?: -1;
}

/** Whether an order can go a state back: a printed one until its files are deleted, one that is printed now unless it is on hold. */
export function canGoBack(order: MovableOrder, now = serverNow()): boolean {
  if (order.state === "printing") return !order.heldAt;
  return order.state === "printed" && areFilesKept(order, now);
}

/** Moves an order a state back, such as after a paper jam; nothing if that is too late. */
export function BackButton({ order, isIcon = false, ...props }: BackButtonProps) {
  const moveBack = useMoveBack();
  if (!canGoBack(order, useNow())) return null;
  const press = pressOnce(() => moveBack(order));
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

interface EarlyButtonProps {
  order: MovableOrder;
  size?: number;
  tabIndex?: -1;
}

/** Hands over an order that is still marked as being printed, because the person waits for it. */
export function EarlyButton({ order, size = 26, tabIndex }: EarlyButtonProps) {
  if (!canHandOverEarly(order)) return null;
  return (
    <ActionIcon
      variant="default"
      size={size}
      tabIndex={tabIndex}
      title="Hand over now"
      aria-label={`Hand over now: order ${order.number}`}
      onClick={pressOnce(() => startHandOver(order))}
    >
      <TbUserCheck size={16} />
    </ActionIcon>
  );
}
