import classes from "./form-alert.module.css";

/** The server's error message above a form. It scrolls into view, as the button that was pressed is at the form's end. */
export function FormAlert({ message }: { message: string }) {
  return (
    <p role="alert" className={classes.alert} ref={scrollIntoView}>
      {message}
    </p>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** The result of a form, below it; announced to screen readers. */
export function FormStatus({ message }: { message: string | false }) {
  return (
    <p role="status" className={classes.status}>
      {message}
    </p>
  );
}
