import { Button } from "@mantine/core";
import { useState } from "react";
import { formatPaise } from "#shared/money.ts";
import { stateTitle } from "#shared/order-states.ts";
import { pagesText } from "#shared/print-pages.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { clearPersonalData } from "#ui/personal-data.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import { useClockText } from "../../lib/clock-text.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import classes from "./counter.module.css";

type Visit = NonNullable<RouterOutputs["visits"]["page"]["visit"]>;

interface VisitOrdersProps {
  shopId: string;
  visit: Visit;
  /** The order that was placed just now, which takes the focus. */
  placed: string | undefined;
}

/** The orders of a visit, the newest first: what to say at the counter, what to pay and how far they are. */
export function VisitOrders({ shopId, visit, placed }: VisitOrdersProps) {
  return (
    <section className={classes.orders} aria-label="Your orders at the counter">
      {visit.orders.map((order) => (
        <VisitOrder key={order.id} order={order} visit={visit} isNew={order.id === placed} />
      ))}
      <LeaveVisit shopId={shopId} endsAt={visit.endsAt} hasOrders />
    </section>
  );
}

interface LeaveVisitProps {
  shopId: string;
  endsAt: string;
  hasOrders: boolean;
}

/** Removes the visit from this phone before its time, for whoever passes the phone on. It asks first: nothing brings it back. */
export function LeaveVisit({ shopId, endsAt, hasOrders }: LeaveVisitProps) {
  const clockText = useClockText();
  const utils = trpc.useUtils();
  const [asking, setAsking] = useState<"not yet" | "yes" | "no longer">("not yet");
  const leave = trpc.visits.leave.useMutation({
    onSuccess: async () => {
      clearPersonalData();
      await utils.visits.page.invalidate({ shopId });
    },
    onError: (error) => showError({ title: messageOf(error) }),
  });
  if (asking === "yes") {
    return (
      <div className={classes.leave}>
        <p tabIndex={-1} ref={takeFocus}>
          {hasOrders &&
            "Your orders are no longer shown here: note their numbers first. The shop still prints them. "}
          Files that you have not sent are removed.
        </p>
        <div className={classes.buttons}>
          <Button loading={leave.isPending} onClick={pressOnce(() => leave.mutate())}>
            Yes, forget it
          </Button>
          <Button variant="default" onClick={pressOnce(() => setAsking("no longer"))}>
            Keep it
          </Button>
        </div>
      </div>
    );
  }
  return (
    <p className={classes.leave}>
      Everything about this visit is deleted at {clockText(endsAt)}.{" "}
      <Button
        variant="subtle"
        size="compact-md"
        autoFocus={asking === "no longer"}
        onClick={pressOnce(() => setAsking("yes"))}
      >
        Forget it on this phone now
      </Button>
    </p>
  );
}

type Order = Visit["orders"][number];

function VisitOrder({ order, visit, isNew }: { order: Order; visit: Visit; isNew: boolean }) {
  const clockText = useClockText();
  const { number, state, paidPaise, duePaise, refundDuePaise, pages, copies } = order;
  return (
    <article
      ref={isNew ? takeFocus : undefined}
      tabIndex={-1}
      className={classes.order}
      data-state={state}
      aria-label={`Order ${number}`}
    >
      <p className={classes.say}>Say at the counter</p>
      <p className={classes.name}>
        {visit.name} <span className={classes.number}>{number.slice(-4)}</span>
      </p>
      <p className={classes.state} role="status">
        {stateTitle({ state, fulfilment: "counter" })}
        {order.cancelReason && `: ${order.cancelReason}`}
        {order.holdReason && `. On hold, please talk to the staff: ${order.holdReason}`}
      </p>
      <dl className={classes.facts}>
        {paidPaise > 0 && (
          <div>
            <dt>Paid</dt>
            <dd>{formatPaise(paidPaise)}</dd>
          </div>
        )}
        {(duePaise > 0 || paidPaise === 0) && (
          <div>
            <dt>To pay</dt>
            <dd>{formatPaise(duePaise)}</dd>
          </div>
        )}
        <div>
          <dt>Print job</dt>
          <dd>{copies === 1 ? pagesText(pages) : `${pagesText(pages)} × ${copies}`}</dd>
        </div>
        <div>
          <dt>Order</dt>
          <dd>{number}</dd>
        </div>
      </dl>
      {refundDuePaise > 0 && (
        <p className={classes.state}>Ask at the counter for {formatPaise(refundDuePaise)} back.</p>
      )}
      <p className={classes.files}>{filesText(order, visit, clockText)}</p>
    </article>
  );
}

function filesText({ files }: Order, { endsAt }: Visit, clockText: (timestamp: string) => string): string {
  switch (files.status) {
    case "deleted":
      return `Your files were deleted at ${clockText(files.at)}.`;
    case "deleting":
      return "Your files are being deleted.";
    case "kept":
      return `Your files are deleted once your prints are handed over, at ${clockText(earlier(files.deleteAt, endsAt))} at the latest.`;
  }
}

function earlier(deleteAt: string | null, endsAt: string): string {
  return deleteAt !== null && deleteAt < endsAt ? deleteAt : endsAt;
}
