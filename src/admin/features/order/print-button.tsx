import { ActionIcon, Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbPrinter from "~icons/tabler/printer";
import { useNow } from "../../lib/clock.ts";
import { hasParts } from "./ask-part.store.ts";
import type { MovableOrder } from "./order-types.ts";
import { canPrint, useIsPreparing, usePrint } from "./use-print.ts";

interface PrintButtonProps extends Pick<ButtonProps, "className" | "size"> {
  order: MovableOrder;
  /** Out of the tab order; there is a shortcut for it. */
  tabIndex?: -1;
}

/** Prints a waiting order; an icon to print again while its files exist; nothing afterwards. */
export function PrintButton({ order, size, className, ...press }: PrintButtonProps) {
  const print = usePrint();
  const isPreparing = useIsPreparing(order.id);
  if (!canPrint(order, useNow())) return null;
  const common = {
    ...press,
    ...(className && { className }),
    loading: isPreparing,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      // A dialog comes up, which a second press beside it would close.
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
