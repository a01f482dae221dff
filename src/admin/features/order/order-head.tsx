import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { type Shortcut, useShortcuts } from "#admin/lib/shortcuts.ts";
import { momentText } from "#admin/lib/times.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { canMove } from "#shared/order-states.ts";
import { paymentStatus } from "#shared/payment.ts";
import { hasRight } from "#shared/permissions.ts";
import { BackButton } from "./back-button.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { MoveButton } from "./move-button.tsx";
import type { OrderDetail } from "./order-answers.ts";
import classes from "./order-head.module.css";
import { useMoveOn } from "./use-moves.ts";

/** Where and when it was placed, and what can be done about it: only what its state allows. */
export function OrderHead({ order }: { order: OrderDetail }) {
  const { shop, placedAt, message } = order;
  const [isCancelling, setCancelling] = useState(false);
  const moveOn = useMoveOn();
  const { role } = useStaffUser();
  const isCancellable =
    canMove(order, "cancelled") && (paymentStatus(order) !== "paid" || hasRight("refund", role));
  const cancel: Shortcut = {
    keys: "C",
    label: "Cancel the order, with a reason",
    run: () => setCancelling(true),
  };
  useShortcuts("Open order", isCancellable ? [cancel] : []);

  return (
    <header>
      <Text component="p" c="dimmed" mb="sm">
        {shop.name}, {momentText(placedAt)}
      </Text>
      <Group gap="xs">
        <MoveButton order={order} moveOn={moveOn} />
        <BackButton order={order} variant="default" />
        {isCancellable && (
          <Button
            variant="default"
            onClick={(event) => {
              holdPlace(event);
              setCancelling(true);
            }}
          >
            Cancel order
          </Button>
        )}
      </Group>
      {message && (
        <figure className={classes.message}>
          <figcaption>Message</figcaption>
          <p>{message}</p>
        </figure>
      )}
      <CancelDialog order={order} opened={isCancelling} onClose={() => setCancelling(false)} />
    </header>
  );
}
