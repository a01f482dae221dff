import type { ReactNode } from "react";
import classes from "./rows.module.css";

/** A list on a sheet, a line between its rows. Its children are `li`. @param label what is listed */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={classes.rows}>
      {children}
    </ul>
  );
}
