import classes from "./form-status.module.css";

/** The result of a form, below it; announced to screen readers. */
export function FormStatus({ message }: { message: string | false }) {
  return (
    <p role="status" className={classes.status}>
      {message}
    </p>
  );
}
