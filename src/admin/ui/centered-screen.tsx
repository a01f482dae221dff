import { Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { LogoMark } from "#ui/logo.tsx";
import classes from "./centered-screen.module.css";

/** A screen without the console's layout: one centered sheet. */
export function CenteredScreen({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Print Store staff`);
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <LogoMark className={classes.mark} />
        <Title order={1} size="h3" mb="md">
          {title}
        </Title>
        {children}
      </div>
    </main>
  );
}
