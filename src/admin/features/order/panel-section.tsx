import { type ReactNode, useId } from "react";
import classes from "./panel-section.module.css";

interface PanelSectionProps {
  title: string;
  children: ReactNode;
}

/** A section of the order panel. */
export function PanelSection({ title, children }: PanelSectionProps) {
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.title}>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** A list of names and values; its children are `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
