import type { ReactNode } from "react";
import classes from "./rows.module.css";

/** A list with lines between its rows. Its children are `li`. @param label the accessible name */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={classes.rows}>
      {children}
    </ul>
  );
}
