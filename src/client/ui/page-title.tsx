import type { ReactNode } from "react";
import classes from "./page-title.module.css";

/** The one heading of a page, with a sentence below it where that helps. */
export function PageTitle({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <header className={classes.header}>
      <h1 className={classes.title}>{children}</h1>
      {lead && <p className={classes.lead}>{lead}</p>}
    </header>
  );
}
