import classes from "./form-alert.module.css";

/** The server's error message above a form. */
export function FormAlert({ message }: { message: string }) {
  return (
    <p role="alert" className={classes.alert}>
      {message}
    </p>
  );
}
