import type { ReactNode } from "react";
import classes from "./scroll-box.module.css";

interface ScrollBoxProps {
  /** What is in it, for whoever comes to it by keyboard. */
  label: string;
  children: ReactNode;
}

/** Something that may be too large for its place: it scrolls there, by keyboard too. */
export function ScrollBox({ label, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
    <section aria-label={label} tabIndex={0} className={classes.box}>
      {children}
    </section>
  );
}
