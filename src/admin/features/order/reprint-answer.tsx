import { Button, Group, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { showDone } from "#admin/lib/notices.ts";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { holdPlace } from "#client/ui/hold-place.ts";
import { MAX_ANSWER } from "#shared/schemas/reprints.ts";
import type { OrderDetail } from "./order-answers.ts";
import classes from "./order-reprint.module.css";

/** Accepts or declines a reprint; the student gets the answer by mail. */
export function ReprintAnswer({ order }: { order: OrderDetail }) {
  const { queue, reprints } = trpc.useUtils();
  const [isEmpty, setEmpty] = useState(false);
  const send = trpc.reprints.answer.useMutation({
    onSuccess: (_, { accepted }) =>
      showDone(`A reprint of order ${order.number} is ${accepted ? "accepted" : "declined"}`),
    onSettled: () => Promise.all([reprints.ofOrder.invalidate({ orderId: order.id }), queue.invalidate()]),
  });
  const pending = send.isPending ? send.variables.accepted : undefined;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answer = String(new FormData(event.currentTarget).get("answer")).trim();
    setEmpty(answer === "");
    if (answer) send.mutate({ orderId: order.id, accepted: isAcceptance(event), answer });
  }

  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      <Textarea
        name="answer"
        label="Answer to the student"
        description="It is mailed with your decision. An accepted reprint costs the student nothing."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_ANSWER}
        required
        withAsterisk={false}
        error={isEmpty ? "Please say why" : send.error && messageOf(send.error)}
      />
      <Group gap="xs">
        <Button type="submit" name="decision" value="accept" loading={pending === true} onClick={holdPlace}>
          Accept the reprint
        </Button>
        <Button
          type="submit"
          name="decision"
          value="decline"
          variant="default"
          loading={pending === false}
          onClick={holdPlace}
        >
          Decline
        </Button>
      </Group>
    </form>
  );
}

/** Which of the two buttons was pressed. */
function isAcceptance({ nativeEvent }: FormEvent<HTMLFormElement>): boolean {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter?.getAttribute("value") === "accept";
}
