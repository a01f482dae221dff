import { scrollIntoView } from "#ui/focus.ts";
import classes from "./form-alert.module.css";

/** The server's error message above a form. */
export function FormAlert({ message }: { message: string }) {
  return (
    <p role="alert" className={classes.alert} ref={scrollIntoView}>
      {message}
    </p>
  );
}

interface ProblemProps {
  message: string;
  /** By default it is announced at once. */
  role?: "alert" | "status";
}

/** What is in the way, beside the button that it is about. */
export function Problem({ message, role = "alert" }: ProblemProps) {
  return (
    <p role={role} className={classes.problem}>
      {message}
    </p>
  );
}

/** The result of a form, below it; announced to screen readers. */
export function FormStatus({ message }: { message: string | false }) {
  return (
    <p role="status" className={classes.status}>
      {message}
    </p>
  );
}
