import classes from "./wait-overlay.module.css";

/** Covers the page with 'Please wait' while a request runs. */
export function WaitOverlay({ active }: { active: boolean }) {
  return (
    <div role="status" className={active ? classes.overlay : undefined}>
      {active && (
        <div className={classes.box}>
          <span className={classes.sheets} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          Please wait
        </div>
      )}
    </div>
  );
}
