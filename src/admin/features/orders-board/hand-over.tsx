import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { asciiDigits } from "#shared/digits.ts";
import { formatPaise } from "#shared/money.ts";
import { MAX_STAFF_REASON } from "#shared/order-limits.ts";
import { duePaise, METHOD_NAMES, PAYMENT_NAMES, paymentStatus, statusPaise } from "#shared/payment.ts";
import type { HandOverProof } from "#shared/schemas/board.ts";
import type { PaymentFields, PaymentMethod } from "#shared/schemas/payments.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { Modal } from "../../ui/modal.tsx";
import { endHandOver, isHandingOver, showAtCard, useHandOver, waitForMoves } from "../order/moves.store.ts";
import { handOverTitle, METHODS, shortRupees } from "../order/order-labels.ts";
import type { MovableOrder } from "../order/order-types.ts";
import classes from "./hand-over.module.css";
import { focusOrder, neighbourOf } from "./order-focus.ts";

/** The last step of an order, with its code and the money that is owed. */
export function HandOverDialog() {
  const order = useHandOver((state) => state.order);
  const focusedNext = useRef<string>(undefined);
  // It is left by Back as well, and must not open again with the board.
  useEffect(() => endHandOver, []);

  /** Focuses the next order, as after any other move by keyboard, unless the form was left before the answer came. */
  function done() {
    if (!order || !isHandingOver(order)) return;
    focusedNext.current = neighbourOf(order.id);
    endHandOver();
  }

  function leave() {
    focusedNext.current = order?.id;
    endHandOver();
  }

  return (
    <Modal
      opened={order !== null}
      onClose={leave}
      title={order ? `${handOverTitle(order)} order ${order.number}` : ""}
      returnFocus={false}
      onExitTransitionEnd={() => focusedNext.current && focusOrder(focusedNext.current)}
    >
      {order && <HandOverForm order={order} onDone={done} onLeave={leave} />}
    </Modal>
  );
}

interface HandOverFormProps {
  order: MovableOrder;
  onDone: () => void;
  onLeave: () => void;
}

/** The last step of an order: who it is for, the pickup code, and the money that is owed, in one press. */
function HandOverForm({ order, onDone, onLeave }: HandOverFormProps) {
  const { fulfilment } = order;
  const isPickup = fulfilment === "pickup";
  const [by, setBy] = useState<"code" | "note">("code");
  const [method, setMethod] = useState<PaymentMethod>("cash");
  const form = useRef<HTMLFormElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const { end, error, isPending, reset } = useEnd(order, {
    onDone,
    onRefused(problem) {
      if (!isHandingOver(order)) showFailure(problem);
      else if (codeOf(problem) === "FORBIDDEN" && isPickup) setBy("note");
      else code.current?.select();
    },
  });
  // Another clerk may take the money while this form is open.
  const money = trpc.board.order.useQuery({ orderId: order.id }, { staleTime: 0 }).data ?? order;
  const due = duePaise(money);
  const done = fulfilment === "delivery" ? "Delivered" : "Hand over";

  function send(paid: boolean) {
    if (!form.current?.reportValidity()) return;
    const text = String(new FormData(form.current).get("proof") ?? "");
    const proof: HandOverProof = !isPickup
      ? { by: "name" }
      : by === "code"
        ? { by, code: text }
        : { by, note: text };
    end(proof, paid ? { method, amountPaise: due } : null);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    send(due > 0);
  }

  function change() {
    setBy(by === "code" ? "note" : "code");
    reset();
  }

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <div className={classes.facts}>
          <strong className={classes.name}>{order.studentName ?? order.student?.fullName}</strong>
          <strong className={classes.amount}>{formatPaise(statusPaise(money))}</strong>
          <span />
          <span data-owed={due > 0 || undefined} className={classes.state}>
            {due > 0 ? owedText(money, due) : PAYMENT_NAMES[paymentStatus(money)]}
          </span>
        </div>
        {isPickup && <ProofField by={by} field={code} error={error} />}
        {!isPickup && error && (
          <Text role="alert" c="var(--bad)" size="sm">
            {error}
          </Text>
        )}
        {due > 0 && (
          <SegmentedControl
            aria-label="Paid by"
            fullWidth
            value={method}
            onChange={setMethod}
            data={METHODS}
          />
        )}
        {method === "upi" && due > 0 && (
          <Text size="xs" c="dimmed">
            First check your UPI app for {formatPaise(due)} with the note “Order {order.number}”.
          </Text>
        )}
        <Button
          type="submit"
          size="md"
          fullWidth
          loading={isPending}
          onClick={ignoreSecondPress}
          data-autofocus={isPickup ? undefined : true}
        >
          {due > 0 ? `${done}, ${shortRupees(due)} paid` : done}
        </Button>
        <Group justify="space-between" gap="xs">
          {isPickup ? (
            <Button variant="subtle" px={0} onClick={change}>
              {by === "code" ? "Without the code" : "With the code"}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            {due > 0 && (
              <Button variant="default" disabled={isPending} onClick={pressOnce(() => send(false))}>
                {done}, not paid
              </Button>
            )}
            <Button variant="default" onClick={onLeave}>
              Cancel
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function owedText(order: MovableOrder, due: number): string {
  return due < order.totalPaise ? `unpaid of ${formatPaise(order.totalPaise)}` : "unpaid";
}

interface ProofFieldProps {
  by: "code" | "note";
  field: RefObject<HTMLInputElement | null>;
  error: string | null;
}

/** The student's pickup code, typed or scanned, or a note why the order is handed over without it. */
function ProofField({ by, field, error }: ProofFieldProps) {
  if (by === "note") {
    return (
      <Textarea
        name="proof"
        label="Reason for no code"
        description="Saved with the order and in the audit log"
        autosize
        minRows={2}
        maxLength={MAX_STAFF_REASON}
        required
        autoFocus
        error={error}
      />
    );
  }
  return (
    <TextInput
      ref={field}
      name="proof"
      label="Pickup code"
      description="The student has it in an email and on the order page"
      classNames={{ input: classes.code }}
      size="md"
      inputMode="numeric"
      autoComplete="off"
      pattern="\d{4}"
      title="Four digits"
      required
      data-autofocus
      error={error}
      onChange={({ currentTarget }) => {
        currentTarget.value = codeIn(asciiDigits(currentTarget.value));
      }}
    />
  );
}

/** Scanners type what a label says, which may be more than the code: its last four digits count. */
function codeIn(text: string): string {
  if (text.length <= 4) return text;
  return /(\d{4})\D*$/.exec(text)?.[1] ?? text.slice(0, 40);
}

interface EndOptions {
  onDone: () => void;
  onRefused: (error: unknown) => void;
}

/** Ends the order, with the payment in the same call. Sent again after a lost answer, both are recorded once. */
function useEnd(order: MovableOrder, { onDone, onRefused }: EndOptions) {
  const { board } = trpc.useUtils();
  const [key] = useState(randomKey);
  const [isAgain, setAgain] = useState(false);
  const options = {
    onMutate: () => waitForMoves(order.id),
    onSuccess(_: unknown, { payment }: { payment?: PaymentFields | undefined }) {
      const how = order.fulfilment === "delivery" ? "delivered" : "handed over";
      const paid = payment ? `, ${shortRupees(payment.amountPaise)} by ${METHOD_NAMES[payment.method]}` : "";
      const text = `is ${how}${paid}`;
      if (!showAtCard({ orders: [order], to: "delivered", text })) showDone(`Order ${order.number} ${text}`);
      onDone();
    },
    onError(error: unknown) {
      if (codeOf(error) === null) setAgain(true);
      onRefused(error);
    },
    onSettled: () => board.invalidate(),
  };
  const handOver = trpc.board.handOver.useMutation(options);
  const move = trpc.board.move.useMutation(options);
  const error = handOver.error ?? move.error;
  return {
    end(proof: HandOverProof, paid: Omit<PaymentFields, "key"> | null) {
      const input = { orderId: order.id, isAgain, ...(paid && { payment: { ...paid, key } }) };
      if (order.fulfilment === "delivery") move.mutate({ ...input, from: order.state, to: "delivered" });
      else handOver.mutate({ ...input, proof });
    },
    error: error && messageOf(error),
    isPending: handOver.isPending || move.isPending,
    reset() {
      handOver.reset();
      move.reset();
    },
  };
}
