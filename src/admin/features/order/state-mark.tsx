import type { Fulfilment, OrderState } from "#shared/order-states.ts";
import { stateName } from "./order-labels.ts";
import classes from "./state-mark.module.css";

interface StateMarkProps {
  state: OrderState;
  /** Omit it for the state of orders of both kinds. */
  fulfilment?: Fulfilment;
}

/** A state's name and colour. */
export function StateMark({ state, fulfilment = "delivery" }: StateMarkProps) {
  return (
    <span className={classes.mark}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <span data-state-name>{stateName({ state, fulfilment })}</span>
    </span>
  );
}
