import { type ReactNode, useId } from "react";
import classes from "./band.module.css";

interface BandProps {
  title: string;
  lead?: string;
  tone?: "paper" | "wash";
  children: ReactNode;
}

/** A section that reaches from edge to edge of the page; its content keeps to the page's column. */
export function Band({ title, lead, tone = "paper", children }: BandProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={classes.band} data-tone={tone}>
      <div className={classes.inner}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
    </section>
  );
}
