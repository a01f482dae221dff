import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { MAX_STAFF_REASON } from "#shared/order-limits.ts";
import {
  duePaise,
  METHOD_NAMES,
  PAYMENT_NAMES,
  type PaymentStatus,
  paymentStatus,
  refundDuePaise,
  statusPaise,
} from "#shared/payment.ts";
import { hasRight } from "#shared/permissions.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { takeFocus, takeLostFocus } from "#ui/focus.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { parseRupees, rupeesText } from "../../lib/rupees.ts";
import { useDownload, useStaffUser } from "../../lib/session.ts";
import { METHODS } from "./order-labels.ts";
import classes from "./order-payments.module.css";
import type { OrderDetail } from "./order-types.ts";
import { PanelSection } from "./panel-section.tsx";

type Entry = OrderDetail["payments"][number];
type OpenForm = { kind: "payment" | "refund" } | { kind: "reversal"; entry: Entry } | null;

/** What was paid and given back, and the forms for more. The store itself sees no payments; staff record them. */
export function OrderPayments({ order }: { order: OrderDetail }) {
  const { role } = useStaffUser();
  const download = useDownload();
  const [form, setForm] = useState<OpenForm>(null);
  const status = paymentStatus(order);
  const due = duePaise(order);
  const mayRefund = hasRight("refund", role);
  const close = () => setForm(null);
  const statusLine = useRef<HTMLParagraphElement>(null);
  // The buttons that opened a form are gone while it is open, and it takes its own along.
  useEffect(() => (form ? () => takeLostFocus(statusLine.current) : undefined), [form]);
  return (
    <PanelSection title="Payments">
      <Group justify="space-between" gap="xs">
        <Text fw={600} data-payment={status} ref={statusLine} tabIndex={-1}>
          {statusText(order, status)}
        </Text>
        {form === null && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="subtle"
              component="a"
              href={`/admin/orders/${order.id}/receipt.pdf`}
              download
              onClick={download}
            >
              Receipt
            </Button>
            {mayRefund && order.paidPaise > 0 && (
              <Button size="compact-sm" variant="default" onClick={() => setForm({ kind: "refund" })}>
                Refund
              </Button>
            )}
            {due > 0 && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={pressOnce(() => setForm({ kind: "payment" }))}
              >
                Take payment
              </Button>
            )}
          </Group>
        )}
      </Group>
      {form?.kind === "payment" && <TakePayment order={order} onClose={close} />}
      {form?.kind === "refund" && <Refund order={order} onClose={close} />}
      {order.payments.length > 0 && (
        <ol className={classes.entries} aria-label="Payments">
          {order.payments.map((entry) => (
            <li key={entry.id} data-reversed={entry.reversedBy !== null || undefined}>
              <PaymentRow
                entry={entry}
                onReverse={
                  mayRefund && form === null && isReversible(entry)
                    ? () => setForm({ kind: "reversal", entry })
                    : undefined
                }
              />
              {form?.kind === "reversal" && form.entry.id === entry.id && (
                <Reversal order={order} entry={entry} onClose={close} />
              )}
            </li>
          ))}
        </ol>
      )}
    </PanelSection>
  );
}

function isReversible({ kind, reversedBy }: Entry): boolean {
  return kind !== "reversal" && reversedBy === null;
}

function statusText(order: OrderDetail, status: PaymentStatus): string {
  const name = PAYMENT_NAMES[status];
  if (status === "void") return name;
  const amount = `${name}, ${formatPaise(statusPaise(order))}`;
  return status === "partly paid" ? `${amount} of ${formatPaise(order.totalPaise)} to pay` : amount;
}

/** Such as `refund of ₹5.00`. */
function entryText({ kind, amountPaise }: Entry): string {
  return `${kind} of ${formatPaise(Math.abs(amountPaise))}`;
}

const KIND_NAMES: Record<Entry["kind"], string> = {
  payment: "Paid",
  refund: "Refunded",
  reversal: "Reversed",
};

function PaymentRow({ entry, onReverse }: { entry: Entry; onReverse: (() => void) | undefined }) {
  const { kind, method, amountPaise, at, by, reason, reversedBy } = entry;
  return (
    <>
      <span className={classes.what}>
        <span>
          {KIND_NAMES[kind]} · {METHOD_NAMES[method]}
          {reversedBy !== null && <small> reversed</small>}
        </span>
        <span className={classes.amount}>{formatPaise(amountPaise)}</span>
      </span>
      <span className={classes.when}>
        <span>
          {indianMoment(at)}, {by}
          {reason && `: ${reason}`}
        </span>
        {onReverse && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={onReverse}
            aria-label={`Reverse the ${entryText(entry)}`}
          >
            Reverse
          </Button>
        )}
      </span>
    </>
  );
}

interface FormProps {
  order: OrderDetail;
  onClose: () => void;
}

function TakePayment({ order, onClose }: FormProps) {
  const { board } = trpc.useUtils();
  // One for each opened form, so that pressing twice, also after a lost answer, records once.
  const [key] = useState(randomKey);
  const take = trpc.payments.take.useMutation({
    onSuccess(_, { amountPaise }) {
      onClose();
      showDone(`${formatPaise(amountPaise)} recorded for order ${order.number}`);
    },
    onSettled: () => board.invalidate(),
  });
  const due = duePaise(order);
  const hint =
    order.upiId !== ""
      ? `For UPI, first check your app for ${formatPaise(due)} with the note “Order ${order.number}”.`
      : undefined;
  return (
    <MoneyForm
      label="Take payment"
      action="Record payment"
      amountPaise={due}
      hint={hint}
      error={take.error && messageOf(take.error)}
      isPending={take.isPending}
      onSubmit={({ method, amountPaise }) => take.mutate({ orderId: order.id, method, amountPaise, key })}
      onClose={onClose}
    />
  );
}

function Refund({ order, onClose }: FormProps) {
  const { board } = trpc.useUtils();
  const [key] = useState(randomKey);
  const refund = trpc.payments.refund.useMutation({
    onSuccess(_, { amountPaise }) {
      onClose();
      showDone(`${formatPaise(amountPaise)} of order ${order.number} refunded`);
    },
    onSettled: () => board.invalidate(),
  });
  return (
    <MoneyForm
      label="Refund"
      action="Record refund"
      amountPaise={refundDuePaise(order) || order.paidPaise}
      method={order.payments.findLast(({ kind }) => kind === "payment")?.method}
      hint={`Give the money back first. At most ${formatPaise(order.paidPaise)}.`}
      hasReason
      error={refund.error && messageOf(refund.error)}
      isPending={refund.isPending}
      onSubmit={(fields) => refund.mutate({ orderId: order.id, key, ...fields })}
      onClose={onClose}
    />
  );
}

interface MoneyFormProps {
  label: string;
  action: string;
  /** Filled in at first. */
  amountPaise: number;
  method?: PaymentMethod | undefined;
  hint: string | undefined;
  hasReason?: boolean;
  error: string | null;
  isPending: boolean;
  onSubmit: (fields: { method: PaymentMethod; amountPaise: number; reason: string }) => void;
  onClose: () => void;
}

/** Method, amount in rupees and, for a refund, the reason. */
function MoneyForm(props: MoneyFormProps) {
  const { label, action, amountPaise, hint, hasReason = false, error, isPending, onSubmit, onClose } = props;
  const [method, setMethod] = useState<PaymentMethod>(props.method ?? "cash");
  const [wrongAmount, setWrongAmount] = useState("");

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const amount = parseRupees(String(form.get("amount")));
    setWrongAmount(amount ? "" : "An amount such as 157 or 157.50");
    if (amount) onSubmit({ method, amountPaise: amount, reason: String(form.get("reason") ?? "") });
  }

  return (
    <form onSubmit={submit} aria-label={label} className={classes.form} tabIndex={-1} ref={takeFocus}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-start">
          <SegmentedControl aria-label="Method" value={method} onChange={setMethod} data={METHODS} />
          <TextInput
            name="amount"
            aria-label="Amount in rupees"
            leftSection="₹"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            required
            defaultValue={rupeesText(amountPaise)}
            error={wrongAmount}
            onChange={() => setWrongAmount("")}
            className={classes.field}
          />
        </Group>
        {hasReason && (
          <Textarea name="reason" label="Reason" autosize minRows={1} maxLength={MAX_STAFF_REASON} required />
        )}
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        <FormButtons
          action={action}
          error={wrongAmount ? null : error}
          isPending={isPending}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function Reversal({ order, entry, onClose }: FormProps & { entry: Entry }) {
  const { board } = trpc.useUtils();
  const [key] = useState(randomKey);
  const reverse = trpc.payments.reverse.useMutation({
    onSuccess() {
      onClose();
      showDone(`The ${entryText(entry)} for order ${order.number} is reversed`);
    },
    onSettled: () => board.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason"));
    reverse.mutate({ orderId: order.id, paymentId: entry.id, reason, key });
  }

  return (
    <form onSubmit={submit} aria-label="Reverse" className={classes.form} tabIndex={-1} ref={takeFocus}>
      <Stack gap="xs">
        <TextInput
          name="reason"
          label="Reason"
          defaultValue="Entered by mistake"
          maxLength={MAX_STAFF_REASON}
          required
        />
        <Text size="xs" c="dimmed">
          {entry.kind === "payment"
            ? "Only for an entry made by mistake. If you give money back, record a refund instead."
            : "Only for an entry made by mistake."}
        </Text>
        <FormButtons
          action="Record reversal"
          error={reverse.error && messageOf(reverse.error)}
          isPending={reverse.isPending}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

interface FormButtonsProps extends Pick<MoneyFormProps, "action" | "error" | "isPending" | "onClose"> {}

/** What the server answered, if it refused, and the buttons. */
function FormButtons({ action, error, isPending, onClose }: FormButtonsProps) {
  return (
    <>
      {error && (
        <Text role="alert" c="var(--bad)" size="sm">
          {error}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button size="compact-sm" variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button size="compact-sm" type="submit" loading={isPending} onClick={ignoreSecondPress}>
          {action}
        </Button>
      </Group>
    </>
  );
}
