import type { ReactNode } from "react";
import classes from "./page-title.module.css";

/** The page's h1, with an optional sentence below it. */
export function PageTitle({ children, lead }: { children: ReactNode; lead?: ReactNode }) {
  return (
    <header className={classes.header}>
      <h1 className={classes.title}>{children}</h1>
      {lead && <p className={classes.lead}>{lead}</p>}
    </header>
  );
}
