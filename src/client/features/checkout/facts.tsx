import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface Fact {
  label: string;
  value: ReactNode;
}

/** Names and values, one pair per line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
