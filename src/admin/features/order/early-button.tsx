import { ActionIcon } from "@mantine/core";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbUserCheck from "~icons/tabler/user-check";
import { startHandOver } from "./hand-over.store.ts";
import { canHandOverEarly } from "./order-labels.ts";
import type { MovableOrder } from "./order-types.ts";

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
      onClick={(event) => {
        ignoreSecondPress(event);
        startHandOver(order);
      }}
    >
      <TbUserCheck size={16} />
    </ActionIcon>
  );
}
