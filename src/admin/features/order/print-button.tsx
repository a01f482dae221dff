import { ActionIcon, Button, type ButtonProps, Menu } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";
import TbPrinter from "~icons/tabler/printer";
import { useNow } from "../../lib/clock.ts";
import type { MovableOrder } from "./order-types.ts";
import { canPrint, useIsPreparing, usePrint } from "./use-print.ts";

interface PrintButtonProps extends Pick<ButtonProps, "className" | "size"> {
  order: MovableOrder;
  /** Out of the tab order; there is a shortcut for it. */
  tabIndex?: -1;
}

/**
 * Prints a waiting order; an icon to print again while its files exist; nothing afterwards. Of an order with several parts one
 * is chosen, as each needs its own settings or its own printer.
 */
export function PrintButton({ order, ...props }: PrintButtonProps) {
  const print = usePrint();
  const { parts = [] } = order;
  if (!canPrint(order, useNow())) return null;
  if (parts.length === 0) return <PressToPrint order={order} {...props} onClick={() => print([order])} />;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <PressToPrint order={order} {...props} />
      </Menu.Target>
      <Menu.Dropdown>
        {parts.map((name, at) => {
          const title = `Part ${at + 1}`;
          return (
            <Menu.Item key={title} onClick={() => print([order], at + 1)}>
              {[title, name].filter(Boolean).join(": ")}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

type PressToPrintProps = PrintButtonProps & ComponentPropsWithRef<"button">;

function PressToPrint({ order, size, className, ...press }: PressToPrintProps) {
  const isPreparing = useIsPreparing(order.id);
  const common = { ...press, ...(className && { className }), loading: isPreparing };
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
