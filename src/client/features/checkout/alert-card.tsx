import { type ReactNode, useEffect, useRef } from "react";
import classes from "./alert-card.module.css";

/** A problem that blocks the order, with ways to solve it. Takes the focus when it appears. */
export function AlertCard({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={classes.card}>
      <h2 ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h2>
      <p className={classes.text}>{text}</p>
      <div className={classes.ways}>{children}</div>
    </section>
  );
}
