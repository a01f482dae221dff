import type { ReactNode } from "react";
import { PageTitle } from "#client/ui/page-title.tsx";
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
      <div className={classes.intro}>
        <PageTitle lead={lead}>{title}</PageTitle>
        <div className={classes.art}>{art}</div>
      </div>
      <div className={classes.sheet}>{children}</div>
    </div>
  );
}
