import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode } from "react";
import classes from "./account-links.module.css";

/** A line below a form that leads to another account page. */
export function AccountFooter({ children }: { children: ReactNode }) {
  return <p className={classes.footer}>{children}</p>;
}

/** A link within a sentence. */
export const AccountLink = createLink((props: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...props} className={classes.link} />
));
