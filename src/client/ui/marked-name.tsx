import classes from "./marked-name.module.css";

/** The name of a list item, with an optional badge. */
export function MarkedName({ name, mark }: { name: string; mark: string | false }) {
  return (
    <p className={classes.name}>
      {name}
      {mark && <span className={classes.mark}>{mark}</span>}
    </p>
  );
}
