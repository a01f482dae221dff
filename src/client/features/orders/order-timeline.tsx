import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { indianClock, indianTime } from "#shared/indian-time.ts";
import { isUnprinted } from "#shared/order-states.ts";
import type { LiveStatus } from "#ui/live-events.ts";
import { Card } from "../../ui/card.tsx";
import { TellMe } from "../push/tell-me.tsx";
import { stepsOf } from "./order-steps.ts";
import { stateText } from "./order-texts.ts";
import classes from "./order-timeline.module.css";

const LIVE_TEXTS: Record<LiveStatus, string> = {
  connecting: "Connecting…",
  live: "Live: updates automatically",
  lost: "Connection lost, trying again…",
};

/** The progress of an order. Each change is announced to screen readers. */
export function OrderTimeline({ order, live }: { order: OwnOrderDetail; live: LiveStatus }) {
  return (
    <Card title="Progress" aside={LIVE_TEXTS[live]}>
      <p role="status" className={classes.now} data-state={order.state}>
        {order.hold ? "On hold" : stateText(order)}
      </p>
      {order.promisedAt && isUnprinted(order.state) && !order.hold && (
        <p className={classes.promise}>Ready by {indianClock(Date.parse(order.promisedAt))}</p>
      )}
      {order.cancelReason && <p className={classes.reason}>{order.cancelReason}</p>}
      <ol className={classes.steps} aria-label="Progress of the order">
        {stepsOf(order).map(({ state, title, at, isCurrent }) => (
          <li
            key={state}
            className={classes.step}
            data-state={state}
            data-reached={at !== null || undefined}
            aria-current={isCurrent ? "step" : undefined}
          >
            <span className={classes.title}>{title}</span>
            {at ? (
              <time dateTime={at} className={classes.at}>
                {indianTime(at)}
              </time>
            ) : (
              <VisuallyHidden>, not yet</VisuallyHidden>
            )}
          </li>
        ))}
      </ol>
      <TellMe order={order} />
    </Card>
  );
}
