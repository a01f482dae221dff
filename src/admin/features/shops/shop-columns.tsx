import type { ReactNode } from "react";
import classes from "./shop-columns.module.css";

/** A form with a preview beside it, or below it on a narrow screen. */
export function ShopColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      {aside}
    </div>
  );
}
