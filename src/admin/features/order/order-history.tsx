import { momentText } from "#admin/lib/times.ts";
import type { OrderDetail } from "./order-answers.ts";
import classes from "./order-history.module.css";
import { PanelSection } from "./panel-section.tsx";
import { StateMark } from "./state-mark.tsx";

/** What became of the order, when, and by whom. */
export function OrderHistory({ history }: { history: OrderDetail["history"] }) {
  return (
    <PanelSection title="History">
      <ol className={classes.entries}>
        {history.map(({ state, at, by, reason }) => (
          <li key={state}>
            <StateMark state={state} />
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
