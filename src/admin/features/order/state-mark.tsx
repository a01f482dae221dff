import type { OrderState } from "#shared/order-states.ts";
import { STATE_NAMES } from "./order-words.ts";
import classes from "./state-mark.module.css";

/** A state by its name, and by a colour of its own. */
export function StateMark({ state }: { state: OrderState }) {
  return (
    <span className={classes.mark}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <span data-state-name>{STATE_NAMES[state]}</span>
    </span>
  );
}
