import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import {
  isUnprinted,
  nextState,
  type OrderPlace,
  type OrderState,
  stateTitle,
} from "#shared/order-states.ts";
import type { LiveStatus } from "#ui/live-events.ts";
import { useClockText } from "../../lib/clock-text.ts";
import { Card } from "../../ui/card.tsx";
import { TellMe } from "../push/tell-me.tsx";
import { stateText } from "./order-texts.ts";
import classes from "./order-timeline.module.css";

const LIVE_TEXTS: Record<LiveStatus, string> = {
  connecting: "Connecting…",
  live: "Live: updates automatically",
  lost: "Connection lost, trying again…",
};

/** The progress of an order. Each change is announced to screen readers. */
export function OrderTimeline({ order, live }: { order: OwnOrderDetail; live: LiveStatus }) {
  const clockText = useClockText();
  return (
    <Card title="Progress" aside={LIVE_TEXTS[live]}>
      <p role="status" className={classes.now} data-state={order.state}>
        {order.hold ? "On hold" : stateText(order)}
      </p>
      {order.promisedAt && isUnprinted(order.state) && !order.hold && (
        <p className={classes.promise}>Ready by {clockText(order.promisedAt)}</p>
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

/** One step of an order's progress, reached or not yet. */
interface OrderStep {
  state: OrderState;
  title: string;
  /** When it was reached, ISO 8601 in UTC; null if not yet. */
  at: string | null;
  isCurrent: boolean;
}

/**
 * The progress of an order: the steps that it reached with their times, then the expected ones. Steps that were
 * undone are left out; it was placed only once.
 */
export function stepsOf({ reached, ...place }: OrderPlace & Pick<OwnOrderDetail, "reached">): OrderStep[] {
  const { state } = place;
  const taken = wayOf(reached).map((step) => ({ ...step, isCurrent: step.state === state }));
  const later = statesAfter(place).map((next) => ({ state: next, at: null, isCurrent: false }));
  return [...taken, ...later].map((step) => ({
    ...step,
    title: stateTitle({ ...place, state: step.state }),
  }));
}

function wayOf(reached: OwnOrderDetail["reached"]): OwnOrderDetail["reached"] {
  const way: OwnOrderDetail["reached"] = [];
  for (const step of reached) {
    const before = way.findIndex(({ state }) => state === step.state);
    if (before >= 0) way.length = before;
    way.push(way.length === 0 ? (reached[0] ?? step) : step);
  }
  return way;
}

function statesAfter({ fulfilment, state }: OrderPlace): OrderState[] {
  const next = nextState({ fulfilment, state });
  return next ? [next, ...statesAfter({ fulfilment, state: next })] : [];
}
