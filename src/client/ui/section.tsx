import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

interface SectionProps {
  title: string;
  lead?: string;
  tone?: "paper" | "wash";
  children: ReactNode;
}

/** A section whose background spans the window; its content stays in the page's column. */
export function Section({ title, lead, tone = "paper", children }: SectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={classes.section} data-tone={tone}>
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
