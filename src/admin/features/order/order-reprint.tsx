import { Anchor, Button, Group, Text, Textarea } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import type { ReprintState } from "#shared/reprints.ts";
import { MAX_ANSWER } from "#shared/schemas/reprints.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { takeLostFocus } from "#ui/focus.ts";
import { Said } from "#ui/said.tsx";
import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import { useDownload } from "../../lib/session.ts";
import classes from "./order-reprint.module.css";
import type { LinkedOrder, OrderDetail } from "./order-types.ts";
import { PanelSection } from "./panel-section.tsx";

const STATE_TEXTS: Record<ReprintState, string> = {
  reported: "Printing error reported",
  accepted: "Reprint accepted: the student uploads the files again",
  declined: "Reprint declined",
  ordered: "Reprint ordered",
};

/** The report of a printing error and the shop's answer, if any. */
export function OrderReprint({ order }: { order: OrderDetail }) {
  const { data } = trpc.reprints.ofOrder.useQuery({ orderId: order.id }, { staleTime: 0 });
  const stateLine = useRef<HTMLParagraphElement>(null);
  if (!data?.report && !data?.reprintOf) return null;
  const { report, reprint, reprintOf } = data;
  return (
    <PanelSection title="Reprint">
      {reprintOf && (
        <Text>
          Reprint of <OrderLink order={reprintOf} />, at no charge
        </Text>
      )}
      {report && (
        <div className={classes.report}>
          <Text fw={600} data-report={report.state} ref={stateLine} tabIndex={-1}>
            {STATE_TEXTS[report.state]}
            {reprint && (
              <>
                {" "}
                as <OrderLink order={reprint} />
              </>
            )}
          </Text>
          <Said by={order.student.fullName} when={indianMoment(report.reportedAt)} text={report.reason} />
          <ReportPhotos photos={report.photos} />
          {report.answeredAt && (
            <Said
              by={report.answeredBy ?? "The shop"}
              when={indianMoment(report.answeredAt)}
              text={report.answer}
            />
          )}
          {report.state === "reported" && <ReprintAnswer order={order} stateLine={stateLine} />}
        </div>
      )}
    </PanelSection>
  );
}

function OrderLink({ order: { id, number } }: { order: LinkedOrder }) {
  return (
    <Anchor
      underline="always"
      renderRoot={(props) => <Link {...props} to="/orders" search={(search) => ({ ...search, order: id })} />}
    >
      #{number}
    </Anchor>
  );
}

/** Thumbnails that link to the full photos. */
function ReportPhotos({ photos }: { photos: string[] }) {
  const open = useDownload();
  if (photos.length === 0) return null;
  return (
    <ul className={classes.photos} aria-label="Photos">
      {photos.map((path, index) => (
        <li key={path}>
          <a href={path} target="_blank" rel="noreferrer" onClick={open}>
            <img src={path} alt={`Open number ${index + 1}`} className={classes.photo} />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface ReprintAnswerProps {
  order: OrderDetail;
  /** Takes the focus of this form's buttons, which go with it. */
  stateLine: RefObject<HTMLElement | null>;
}

/** Accepts or declines a reprint; the student is mailed the answer. */
function ReprintAnswer({ order, stateLine }: ReprintAnswerProps) {
  const { board, reprints } = trpc.useUtils();
  const [isEmpty, setEmpty] = useState(false);
  const send = trpc.reprints.answer.useMutation({
    onSuccess: (_, { accepted }) =>
      showDone(`Reprint of order ${order.number} ${accepted ? "accepted" : "declined"}`),
    // Somebody else was first, so the form goes, and its error with it.
    onError: (error) => codeOf(error) === "CONFLICT" && showFailure(error),
    onSettled: () => Promise.all([reprints.ofOrder.invalidate({ orderId: order.id }), board.invalidate()]),
  });
  useEffect(() => () => takeLostFocus(stateLine.current), [stateLine]);
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
        description="Emailed with your decision. A reprint is free for the student."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_ANSWER}
        required
        withAsterisk={false}
        error={isEmpty ? "Please say why" : send.error && messageOf(send.error)}
      />
      <Group gap="xs">
        <Button
          type="submit"
          name="decision"
          value="accept"
          loading={pending === true}
          onClick={ignoreSecondPress}
        >
          Accept the reprint
        </Button>
        <Button
          type="submit"
          name="decision"
          value="decline"
          variant="default"
          loading={pending === false}
          onClick={ignoreSecondPress}
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
