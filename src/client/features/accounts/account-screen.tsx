import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode } from "react";
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
