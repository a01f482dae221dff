import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode } from "react";
import art from "../../ui/art.module.css";
import { PageTitle } from "../../ui/page-title.tsx";
import classes from "./account-screen.module.css";

interface AccountScreenProps {
  title: string;
  lead: ReactNode;
  /** Decoration beside the form, where there is room for it. */
  art: ReactNode;
  children: ReactNode;
}

/** The frame of every account page: its purpose on one side, the form on the other; stacked on a phone. */
export function AccountScreen({ title, lead, art, children }: AccountScreenProps) {
  return (
    <div className={classes.screen}>
      <div>
        <PageTitle lead={lead}>{title}</PageTitle>
        <div className={classes.art}>{art}</div>
      </div>
      <div className={classes.sheet}>{children}</div>
    </div>
  );
}

/** A line below a form that leads to another account page. */
export function AccountFooter({ children }: { children: ReactNode }) {
  return <p className={classes.footer}>{children}</p>;
}

/** A link within a sentence. */
export const AccountLink = createLink((props: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...props} className={classes.link} />
));

function AccountArt({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 320 220" width="320" height="220" strokeWidth="3" aria-hidden="true">
      {children}
    </svg>
  );
}

/** A printed pile on the desk, with a line marked on its top sheet. */
export function PileArt() {
  return (
    <AccountArt>
      <path className={art.faint} d="M6 208h308" />
      <path className={art.wash} d="m58 186 26-132 116 22-26 132z" />
      <path className={art.sheet} d="M92 30h132v178H92z" />
      <path className={art.mark} d="M110 82h78v18h-78z" />
      <path className={art.line} d="M112 56h58M112 91h92M112 114h92M112 137h92M112 160h60" />
      <path className={art.accent} d="m236 190 40-100 24 10-40 100-24 8z" />
      <path className={art.line} d="m267 113 24 10" />
    </AccountArt>
  );
}

/** An envelope with a slip of six boxes: the mailed code. */
export function CodeMailArt() {
  return (
    <AccountArt>
      <path className={art.faint} d="M6 208h308" />
      <path className={art.wash} d="M52 96 160 24l108 72v112H52z" />
      <path className={art.sheet} d="M76 62h168v120H76z" />
      <path className={art.line} d="M96 84h60" />
      <path className={art.mark} d="M92 102h136v32H92z" />
      <path
        className={art.line}
        d="M94 104h20v28H94zM117 104h20v28h-20zM140 104h20v28h-20zM163 104h20v28h-20zM186 104h20v28h-20zM209 104h20v28h-20z"
      />
      <path className={art.sheet} d="m52 98 108 66 108-66v110H52z" />
      <path className={art.line} d="m52 208 84-58m132 58-84-58" />
    </AccountArt>
  );
}

/** A padlock on a sheet: the password. */
export function PadlockArt() {
  return (
    <AccountArt>
      <path className={art.faint} d="M6 208h308" />
      <path className={art.sheet} d="M66 24h104l36 36v148H66z" />
      <path className={art.line} d="M170 24v36h36M88 74h54M88 98h76M88 122h40" />
      <path className={art.line} d="M168 138v-20a34 34 0 0 1 68 0v20" />
      <path className={art.accent} d="M150 138h104v70H150z" />
      <circle className={art.ink} cx="202" cy="168" r="7" />
      <path className={art.line} d="M202 172v16" />
    </AccountArt>
  );
}
