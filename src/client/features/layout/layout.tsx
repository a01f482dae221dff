import type { ReactNode } from "react";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import classes from "./layout.module.css";
import { useFocusOnArrival } from "./use-focus-on-arrival.ts";

const MAIN_ID = "content";

/** What stands around every page. Children of `main` keep to the page's column; a Band reaches from edge to edge. */
export function Layout({ children }: { children: ReactNode }) {
  useFocusOnArrival();
  return (
    <div className={classes.layout}>
      <a href={`#${MAIN_ID}`} className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
