import classes from "./form-status.module.css";

/** What a form has done, read out when it appears; stands below the form. */
export function FormStatus({ message }: { message: string | false }) {
  return (
    <p role="status" className={classes.status}>
      {message}
    </p>
  );
}
