import type { Ref } from "react";
import classes from "./marked-name.module.css";

interface MarkedNameProps {
  name: string;
  mark: string | false;
  /** Where the name takes the focus from a button that is gone. */
  ref?: Ref<HTMLParagraphElement>;
}

/** The name of a list item, with an optional badge. */
export function MarkedName({ name, mark, ref }: MarkedNameProps) {
  return (
    <p ref={ref} tabIndex={ref ? -1 : undefined} className={classes.name}>
      {name}
      {mark && <span className={classes.mark}>{mark}</span>}
    </p>
  );
}
