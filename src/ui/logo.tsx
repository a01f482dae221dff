import classes from "./logo.module.css";

export const BRAND = "Print Store";

/** A sheet of paper in a printer. */
export function LogoMark({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path className={classes.sheet} d="M8 2.5h11l5.5 5.5v21.5H8z" />
      <path className={classes.line} d="M19 2.5V8h5.5M12.5 12.5h8" />
      <rect className={classes.bar} x="3" y="17" width="26.5" height="7" rx="2" />
    </svg>
  );
}

/** The logo with the brand's name. */
export function Logo() {
  return (
    <span className={classes.logo}>
      <LogoMark className={classes.mark} />
      {BRAND}
    </span>
  );
}
