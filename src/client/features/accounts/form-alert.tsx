import classes from "./form-alert.module.css";

/** What the server refused, in red, above the form that it is about. */
export function FormAlert({ message }: { message: string }) {
  return (
    <p role="alert" className={classes.alert}>
      {message}
    </p>
  );
}
