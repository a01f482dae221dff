import { type ReactNode, useId } from "react";
import classes from "./card.module.css";

/** A titled part of a page. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.card} aria-labelledby={titleId}>
      <header className={classes.header}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {aside && <span className={classes.aside}>{aside}</span>}
      </header>
      {children}
    </section>
  );
}

/** Cards in a column of readable width. */
export function CardColumn({ children }: { children: ReactNode }) {
  return <div className={classes.column}>{children}</div>;
}
