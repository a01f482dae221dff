import type { ReactNode } from "react";
import artClasses from "./art.module.css";
import classes from "./notice.module.css";

/** A whole page with one message and links or buttons to continue. */
export function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section className={classes.notice}>
      <PaperJamArt className={classes.art} />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>{children}</div>
    </section>
  );
}

/** A sheet of paper stuck in a printer. */
function PaperJamArt({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 240 170" strokeWidth="3.5" aria-hidden="true">
      <path className={artClasses.sheet} d="M72 18l78-12 34 24 6 56H82z" />
      <path className={artClasses.line} d="M150 6l2 28 32-4M96 44l36-5M99 62l70-8" />
      <path
        className={artClasses.sheet}
        d="M70 92h100l-8 18 12 14-14 12 10 20-26-8-16 12-18-14-24 10 6-22-14-12z"
      />
      <path className={artClasses.faint} d="M96 120l30 6M104 138l22-4M136 112l8 14" strokeWidth="2.5" />
      <rect className={artClasses.accent} x="24" y="72" width="192" height="36" rx="9" />
      <circle className={artClasses.onAccent} cx="188" cy="90" r="4.5" />
      <path className={artClasses.onAccentLine} d="M46 90h46" />
    </svg>
  );
}
