import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes } from "react";
import classes from "./account-links.module.css";

/** A link within a sentence. */
export const AccountLink = createLink((props: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...props} className={classes.link} />
));
