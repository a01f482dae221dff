import { Button, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { formatPaise } from "#shared/money.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import type { HandOverProof } from "#shared/schemas/board.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import type { MovableOrder } from "../order/order-types.ts";
import { waitForMoves } from "../order/pending-moves.ts";
import classes from "./hand-over-form.module.css";

interface HandOverFormProps {
  order: MovableOrder;
  onDone: () => void;
  onLeave: () => void;
}

const MAX_NOTE = 500;

/** The student's pickup code, or a note why the order is handed over without it. */
export function HandOverForm({ order, onDone, onLeave }: HandOverFormProps) {
  const { board } = trpc.useUtils();
  const [by, setBy] = useState<HandOverProof["by"]>("code");
  const code = useRef<HTMLInputElement>(null);
  const handOver = trpc.board.handOver.useMutation({
    onMutate: () => waitForMoves(order.id),
    onSuccess() {
      showDone(`Order ${order.number} is handed over`);
      onDone();
    },
    onError(error) {
      if (codeOf(error) === "FORBIDDEN") setBy("note");
      else code.current?.select();
    },
    onSettled: () => board.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("proof"));
    const proof: HandOverProof = by === "code" ? { by, code: text } : { by, note: text };
    handOver.mutate({ orderId: order.id, proof });
  }

  function change(next: HandOverProof["by"]) {
    setBy(next);
    handOver.reset();
  }

  const error = handOver.error && messageOf(handOver.error);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>
          {PAYMENT_NAMES[paymentStatus(order)]}, {formatPaise(order.totalPaise)}
        </Text>
        {by === "code" ? (
          <TextInput
            key="code"
            ref={code}
            name="proof"
            label="Pickup code"
            description="The student has it in an email and on the order page"
            classNames={{ input: classes.code }}
            size="md"
            inputMode="numeric"
            autoComplete="off"
            pattern="\d{4}"
            title="Four digits"
            maxLength={4}
            required
            data-autofocus
            error={error}
          />
        ) : (
          <Textarea
            key="note"
            name="proof"
            label="Reason for no code"
            description="Saved with the order and in the audit log"
            autosize
            minRows={2}
            maxLength={MAX_NOTE}
            required
            autoFocus
            error={error}
          />
        )}
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" px={0} onClick={() => change(by === "code" ? "note" : "code")}>
            {by === "code" ? "Without the code" : "With the code"}
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onLeave}>
              Cancel
            </Button>
            <Button type="submit" loading={handOver.isPending} onClick={ignoreSecondPress}>
              Hand over
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
