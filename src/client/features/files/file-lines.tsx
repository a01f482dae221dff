import classes from "./file-lines.module.css";

/** A file of an order: its name and details. */
export interface FileLine {
  key: string;
  name: string;
  facts?: string | undefined;
}

/** The files of an order, in printing order. */
export function FileLines({ files }: { files: readonly FileLine[] }) {
  return (
    <ol className={classes.files}>
      {files.map(({ key, name, facts }) => (
        <li key={key}>
          <span>{name}</span>
          {facts && <span className={classes.facts}>{facts}</span>}
        </li>
      ))}
    </ol>
  );
}
