import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { MAX_STAFF_REASON } from "#shared/order-limits.ts";
import { canMove, STATES_WITHOUT_FILES } from "#shared/order-states.ts";
import { METHOD_NAMES } from "#shared/payment.ts";
import { hasRight } from "#shared/permissions.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { useStaffUser } from "../../lib/session.ts";
import { type Shortcut, useShortcuts } from "../../lib/shortcuts.tsx";
import { Modal } from "../../ui/modal.tsx";
import { useMovedElsewhere, waitForMoves } from "./moves.store.ts";
import { BackButton, EarlyButton, MoveButton, PrintButton } from "./order-buttons.tsx";
import { OrderError } from "./order-error.tsx";
import classes from "./order-head.module.css";
import { OrderDue } from "./order-marks.tsx";
import type { OrderDetail } from "./order-types.ts";
import { useMoveOn } from "./use-moves.ts";

/** The order's shop, time and state, and the actions that its state allows. */
export function OrderHead({ order }: { order: OrderDetail }) {
  const { shop, placedAt, message } = order;
  const [isCancelling, setCancelling] = useState(false);
  const moveOn = useMoveOn();
  const isMovedElsewhere = useMovedElsewhere(order);
  const { role } = useStaffUser();
  const isCancellable = canMove(order, "cancelled") && (order.paidPaise === 0 || hasRight("refund", role));
  const cancel: Shortcut = {
    keys: "C",
    label: "Cancel the order, with a reason",
    run: () => setCancelling(true),
  };
  useShortcuts("Open order", isCancellable ? [cancel] : []);

  return (
    <header>
      <Text component="p" c="dimmed" mb="sm">
        {shop.name}, <span className={classes.placed}>{indianMoment(placedAt)}</span>{" "}
        <OrderDue order={order} />
      </Text>
      <Group gap="xs" style={{ pointerEvents: isMovedElsewhere ? "none" : undefined }}>
        <PrintButton order={order} />
        <EarlyButton order={order} size={36} />
        <MoveButton order={order} moveOn={moveOn} variant={order.state === "placed" ? "default" : "filled"} />
        <BackButton order={order} variant="default" />
        {isCancellable && (
          <Button variant="default" onClick={pressOnce(() => setCancelling(true))}>
            Cancel order
          </Button>
        )}
      </Group>
      <OrderError order={order} className={classes.error ?? ""} />
      {message && (
        <figure className={classes.message}>
          <figcaption>Message</figcaption>
          <p>{message}</p>
        </figure>
      )}
      <Modal
        opened={isCancelling}
        onClose={() => setCancelling(false)}
        title={`Cancel order ${order.number}`}
      >
        <CancelForm order={order} onClose={() => setCancelling(false)} />
      </Modal>
    </header>
  );
}

/** What the shop owes once a paid order is cancelled, and how it came in. */
function moneyBackText({ paidPaise, payments }: OrderDetail): string {
  const recorded = payments
    .filter(({ kind, reversedBy }) => kind !== "reversal" && reversedBy === null)
    .map(({ method, amountPaise }) => `${METHOD_NAMES[method]} ${formatPaise(amountPaise)}`);
  return `Please give back ${formatPaise(paidPaise)}. Recorded: ${recorded.join(", ")}`;
}

/** Asks for the reason, which is mailed to a student, and shown on the phone of somebody at the counter. */
function CancelForm({ order, onClose }: { order: OrderDetail; onClose: () => void }) {
  const { board } = trpc.useUtils();
  const isAtCounter = order.fulfilment === "counter";
  const [from] = useState(order.state);
  const [isAgain, setAgain] = useState(false);
  const cancel = trpc.board.cancel.useMutation({
    onMutate: () => waitForMoves(order.id),
    onSuccess() {
      onClose();
      const told = isAtCounter ? "" : ". The student gets the reason by email";
      showDone(`Order ${order.number} is cancelled${told}`);
    },
    onError(error) {
      if (codeOf(error) === null) setAgain(true);
    },
    onSettled: () => board.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason"));
    cancel.mutate({ orderId: order.id, from, reason, isAgain });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>
          {isAtCounter
            ? `Please tell ${order.student.fullName} your reason.`
            : `${order.student.fullName} gets your reason by email.`}{" "}
          {!STATES_WITHOUT_FILES.includes(order.state) && "The files will be deleted. "}This cannot be undone.
        </Text>
        {order.paidPaise > 0 && <Text fw={600}>{moneyBackText(order)}</Text>}
        <Textarea
          name="reason"
          label="Reason"
          autosize
          minRows={3}
          maxLength={MAX_STAFF_REASON}
          required
          data-autofocus
          error={cancel.error && messageOf(cancel.error)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Keep the order
          </Button>
          <Button type="submit" color="red" loading={cancel.isPending} onClick={ignoreSecondPress}>
            Cancel the order
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
