import type { ReactNode } from "react";
import { JamArt } from "./jam-art.tsx";
import classes from "./notice.module.css";

/** A whole page that says one thing and offers a way on. */
export function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section className={classes.notice}>
      <JamArt className={classes.art} />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>{children}</div>
    </section>
  );
}
