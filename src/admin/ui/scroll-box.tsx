import type { ReactNode } from "react";
import classes from "./scroll-box.module.css";

interface ScrollBoxProps {
  /** The accessible name. */
  label: string;
  children: ReactNode;
}

/** Scrolls its content if it is too large, by keyboard too. */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section aria-label={label} tabIndex={0} className={classes.box}>
      {children}
    </section>
  );
}
