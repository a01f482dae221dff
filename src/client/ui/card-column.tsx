import type { ReactNode } from "react";
import classes from "./card-column.module.css";

/** Cards in a column of readable width. */
export function CardColumn({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
