import classes from "./loader.module.css";

/** Shown while the server is asked who is logged in, or for a page that is nothing without its answer. */
export function Loader() {
  return (
    <div className={classes.loader} role="status">
      Loading...
    </div>
  );
}
