import type { ReactNode } from "react";
import classes from "./account-links.module.css";

/** A line below a form that leads to another account page. */
export function AccountFooter({ children }: { children: ReactNode }) {
  return <p className={classes.footer}>{children}</p>;
}
