import classes from "./checking.module.css";

/** Shown while it is being checked who is logged in. */
export function Checking() {
  return (
    <div className={classes.checking} role="status">
      Loading...
    </div>
  );
}
