import classes from "./logging-out.module.css";

/** Covers the page while the logout runs. */
export function LoggingOut() {
  return (
    <div role="status" className={classes.overlay}>
      <h2>Loading...</h2>
    </div>
  );
}
