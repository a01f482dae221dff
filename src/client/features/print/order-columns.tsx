import type { ReactNode } from "react";
import classes from "./order-columns.module.css";

/** The steps of an order with the price beside or below them. */
export function OrderColumns({ children, price }: { children: ReactNode; price: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div className={classes.steps}>{children}</div>
      {price}
    </div>
  );
}
