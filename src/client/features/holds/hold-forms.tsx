import "../../ui/form-styles.ts";
import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { MAX_HOLD_ANSWER } from "#shared/holds.ts";
import { formatPaise } from "#shared/money.ts";
import { ignoreSecondPress, pressOnce } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { ownItems } from "../../lib/storage.ts";
import { Problem } from "../../ui/form-alert.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { HoldChanges, type Sending, type WayProps } from "./hold-changes.tsx";
import classes from "./order-hold.module.css";

/** A way on from a hold. */
export type HoldWay = "answer" | "change" | "cancel";

const FORMS = { answer: AnswerForm, change: HoldChanges, cancel: CancelForm };

/**
 * The form of one way on. If it goes because the hold has ended, and as far as is known not because of what was sent from here,
 * it says so. The focus goes to the page where no button takes it.
 */
export function HoldForm({ way, ...props }: Omit<WayProps, "sending"> & { way: HoldWay }) {
  const Form = FORMS[way];
  const { orders } = trpc.useUtils();
  const orderId = props.order.id;
  const sent = useRef<"no" | "yes" | "perhaps">("no");
  const isGone = useRef(false);
  const [tellIfEnded] = useState(() => () => {
    if (sent.current === "yes" || orders.one.getData({ orderId })?.hold !== null) return;
    showError({ title: "Your order is no longer on hold", text: ENDED_TEXTS[sent.current] });
  });
  const [sending] = useState<Sending>(() => ({
    onMutate: () => {
      sent.current = "yes";
    },
    onError: (error) => {
      sent.current = codeOf(error) ? "no" : "perhaps";
      // The hold has ended while this was on its way.
      if (isGone.current) tellIfEnded();
    },
  }));
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (document.activeElement === document.body)
        document.getElementById("content")?.focus({ preventScroll: true });
      tellIfEnded();
    };
  }, [tellIfEnded]);
  return <Form {...props} sending={sending} />;
}

const ENDED_TEXTS = {
  no: "What you started here was not sent. Call the shop if it still matters",
  perhaps:
    "What you sent may have arrived, although no answer came. Look at the order, and call the shop if it is not as you want it",
};

function AnswerForm({ order, hold, user, onClose, sending }: WayProps) {
  const { orders } = trpc.useUtils();
  const [isEmpty, setEmpty] = useState(false);
  // What is typed survives Back, and a tab that the phone throws away.
  const typed = `answer:${user._id}:${hold.id}`;
  const send = trpc.holds.answer.useMutation({
    ...sending,
    onSuccess: () => ownItems.remove(typed),
    async onSettled(_answer, error) {
      // The button that opened the form would take the focus, and then go with it.
      await orders.invalidate();
      if (!error) onClose();
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answer = String(new FormData(event.currentTarget).get("answer")).trim();
    setEmpty(answer === "");
    if (answer === "") event.currentTarget.querySelector("textarea")?.focus();
    if (answer && !send.isPending) send.mutate({ orderId: order.id, holdId: hold.id, answer });
  }

  return (
    <form noValidate onSubmit={submit} className={classes.form}>
      <Textarea
        size="md"
        name="answer"
        label="Your answer"
        description="For example: print it as it is"
        autoFocus
        required
        withAsterisk={false}
        rows={3}
        maxLength={MAX_HOLD_ANSWER}
        defaultValue={String(ownItems.get(typed) ?? "")}
        onChange={({ currentTarget }) => {
          ownItems.set(typed, currentTarget.value);
          setEmpty(false);
        }}
        error={isEmpty ? "Please write an answer" : send.error && messageOf(send.error)}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={send.isPending} onClick={ignoreSecondPress}>
          Send the answer
        </Button>
        <Button variant="default" onClick={onClose}>
          Back
        </Button>
      </div>
    </form>
  );
}

function CancelForm({ order, hold, onClose, sending }: WayProps) {
  const { orders } = trpc.useUtils();
  const cancel = trpc.holds.cancel.useMutation({ ...sending, onSettled: () => orders.invalidate() });
  return (
    <div className={classes.form}>
      <p tabIndex={-1} ref={takeFocus}>
        Nothing is printed and your files are deleted. This cannot be undone.
        {order.paidPaise > 0 && ` You have paid ${formatPaise(order.paidPaise)}: the shop will refund it.`}
      </p>
      {cancel.error && <Problem message={messageOf(cancel.error)} />}
      <div className={classes.buttons}>
        <Button
          className={classes.cancel}
          loading={cancel.isPending}
          onClick={pressOnce(() => cancel.mutate({ orderId: order.id, holdId: hold.id }))}
        >
          Yes, cancel the order
        </Button>
        <Button variant="default" onClick={onClose}>
          Keep the order
        </Button>
      </div>
    </div>
  );
}
