import { Button, Group, Text } from "@mantine/core";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { formatPaise } from "#shared/money.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import { hasRight } from "#shared/permissions.ts";
import type { OrderDetail } from "./order-answers.ts";
import { PanelSection } from "./panel-section.tsx";

/** Whether the order is paid, as far as staff have said: the store sees no payment itself. */
export function OrderPayment({ order }: { order: OrderDetail }) {
  const { queue } = trpc.useUtils();
  const { role } = useStaffUser();
  const status = paymentStatus(order);
  const isPaid = status === "paid";
  const setPaid = trpc.queue.setPaid.useMutation({
    onSuccess: () => showDone(`Order ${order.number} is ${isPaid ? "not paid" : "marked as paid"}`),
    onError: showFailure,
    onSettled: () => queue.invalidate(),
  });
  return (
    <PanelSection title="Payment">
      <Group justify="space-between" gap="xs">
        <Text fw={600} data-payment={status}>
          {PAYMENT_NAMES[status]}
          {status !== "void" && `, ${formatPaise(order.totalPaise)}`}
        </Text>
        {status !== "void" && (!isPaid || hasRight("refund", role)) && (
          <Button
            size="compact-sm"
            variant="default"
            loading={setPaid.isPending}
            onClick={(event) => {
              holdPlace(event);
              setPaid.mutate({ orderId: order.id, paid: !isPaid });
            }}
          >
            {isPaid ? "Take back" : "Mark as paid"}
          </Button>
        )}
      </Group>
      {status === "upi" && (
        <Text size="xs" c="dimmed">
          Look for {formatPaise(order.totalPaise)} with the note “Order {order.number}” in your UPI app first.
        </Text>
      )}
    </PanelSection>
  );
}
