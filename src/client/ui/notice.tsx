import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useConnection } from "../lib/connection.ts";
import artClasses from "./art.module.css";
import { LinkButton } from "./link-button.tsx";
import classes from "./notice.module.css";

interface NoticeProps {
  /** What happened: something failed, something is not there, or there is nothing yet. */
  art: "failed" | "missing" | "empty";
  title: string;
  text: string;
  children?: ReactNode;
}

/** A whole page with one message and links or buttons to continue. */
export function Notice({ art, title, text, children }: NoticeProps) {
  const Art = ARTS[art];
  return (
    <section className={classes.notice}>
      <Art className={classes.art} />
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.text}>{text}</p>
      <div className={classes.actions}>{children}</div>
    </section>
  );
}

interface ArtProps {
  className: string | undefined;
}

const ARTS = { failed: PaperJamArt, missing: PaperPlaneArt, empty: EmptyTrayArt };

/** A sheet of paper stuck in a printer. */
function PaperJamArt({ className }: ArtProps) {
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

/** A page that has flown away as a paper plane. */
function PaperPlaneArt({ className }: ArtProps) {
  return (
    <svg className={className} viewBox="0 0 240 170" strokeWidth="3.5" aria-hidden="true">
      <path
        className={artClasses.faint}
        d="M18 150c40 12 66-6 78-30s-6-44-24-36-14 40 18 42 42-14 54-30"
        strokeDasharray="2 11"
      />
      <path className={artClasses.accent} d="M166 88l-4 40 22-26z" />
      <path className={artClasses.sheet} d="M126 68l94-50-36 102-18-32z" />
      <path className={artClasses.line} d="M166 88l54-70" />
    </svg>
  );
}

/** A tray without paper. */
export function EmptyTrayArt({ className }: ArtProps) {
  return (
    <svg className={className} viewBox="0 0 240 170" strokeWidth="3.5" aria-hidden="true">
      <path className={artClasses.faint} d="M76 96V18h68l20 20v58M144 18v20h20" strokeDasharray="2 11" />
      <path className={artClasses.faint} d="M94 56h44M94 74h52" strokeDasharray="2 11" />
      <path
        className={artClasses.accent}
        d="M28 96h48l14 22h60l14-22h48v48a9 9 0 0 1-9 9H37a9 9 0 0 1-9-9z"
      />
      <path className={artClasses.onAccentLine} d="M46 136h30" />
    </svg>
  );
}

/** Shown for an error that no page handles. Its cause may be in what this tab has loaded, so that is loaded again. */
export function CrashPage() {
  const { isOffline } = useConnection();
  return (
    <Notice
      art="failed"
      title="Unexpected Application Error!"
      text={`${isOffline ? "You have no internet" : "Something broke on our side"}. Nothing that you uploaded or ordered is lost.`}
    >
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </Notice>
  );
}

/** Shown for an address without a page. */
export function NotFoundPage() {
  return (
    <Notice
      art="missing"
      title="This page does not exist"
      text="The link may be outdated, or the address mistyped."
    >
      <LinkButton to="/">Go to the home page</LinkButton>
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    </Notice>
  );
}
