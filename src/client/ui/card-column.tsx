import type { ReactNode } from "react";
import classes from "./card-column.module.css";

/** Cards one below the other, no wider than their text reads well. */
export function CardColumn({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
