import classes from "./marked-name.module.css";

/** What something in a list is called; `mark` sets one of them apart from the others. */
export function MarkedName({ name, mark }: { name: string; mark: string | false }) {
  return (
    <p className={classes.name}>
      {name}
      {mark && <span className={classes.mark}>{mark}</span>}
    </p>
  );
}
