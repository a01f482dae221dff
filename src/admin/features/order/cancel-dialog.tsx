import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import type { FormEvent } from "react";
import { showDone } from "#admin/lib/notices.ts";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import type { OrderDetail } from "./order-answers.ts";
import { movesAnswered } from "./order-turns.ts";

interface CancelDialogProps {
  order: OrderDetail;
  opened: boolean;
  onClose: () => void;
}

const MAX_REASON = 500;

/** Asks for the reason that the student gets by mail. */
export function CancelDialog({ order, opened, onClose }: CancelDialogProps) {
  const { queue } = trpc.useUtils();
  const cancel = trpc.queue.cancel.useMutation({
    onMutate: () => movesAnswered(order.id),
    onSuccess() {
      onClose();
      showDone(`Order ${order.number} is cancelled. The student gets the reason by mail`);
    },
    onSettled: () => queue.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason"));
    cancel.mutate({ orderId: order.id, from: order.state, reason });
  }

  return (
    <Modal opened={opened} onClose={onClose} title={`Cancel order ${order.number}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text>
            {order.student.fullName} gets your reason by mail. The files are deleted, and nothing brings the
            order back.
          </Text>
          <Textarea
            name="reason"
            label="Reason"
            autosize
            minRows={3}
            maxLength={MAX_REASON}
            required
            data-autofocus
            error={cancel.error && messageOf(cancel.error)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Keep the order
            </Button>
            <Button type="submit" color="red" loading={cancel.isPending} onClick={holdPlace}>
              Cancel the order
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
