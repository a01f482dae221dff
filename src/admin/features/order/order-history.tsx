import { momentText } from "#admin/lib/times.ts";
import type { OrderDetail } from "./order-answers.ts";
import classes from "./order-history.module.css";
import { PanelSection } from "./panel-section.tsx";
import { StateMark } from "./state-mark.tsx";

/** What became of the order and of its payment, when, and by whom. */
export function OrderHistory({ order }: { order: OrderDetail }) {
  const states = order.history.map(({ state, ...entry }, index) => ({
    ...entry,
    key: `${index} ${state}`,
    name: <StateMark state={state} fulfilment={order.fulfilment} />,
  }));
  const payments = order.payments.map(({ paid, ...entry }) => ({
    ...entry,
    key: `${paid} ${entry.at}`,
    name: paid ? "Marked as paid" : "Not paid after all",
    reason: null,
  }));
  return (
    <PanelSection title="History">
      <ol className={classes.entries}>
        {[...states, ...payments]
          .toSorted((a, b) => a.at.localeCompare(b.at))
          .map(({ key, name, at, by, reason }) => (
            <li key={key}>
              <span>{name}</span>
              <span className={classes.when}>
                {momentText(at)}
                {by && `, ${by}`}
              </span>
              {reason && <p className={classes.reason}>{reason}</p>}
            </li>
          ))}
      </ol>
    </PanelSection>
  );
}
