import classes from "./said.module.css";

interface SaidProps {
  by: string;
  /** The moment, as people read it. */
  when: string;
  text: string;
  className?: string | undefined;
}

/** What a student or a shop has written about an order, with its author and moment. */
export function Said({ by, when, text, className }: SaidProps) {
  return (
    <figure className={className ? `${classes.said} ${className}` : classes.said}>
      <blockquote>{text}</blockquote>
      <figcaption>
        {by}, {when}
      </figcaption>
    </figure>
  );
}
