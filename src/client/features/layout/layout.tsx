import { Link, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { BRAND, Logo } from "#ui/logo.tsx";
import { Header } from "./header.tsx";
import classes from "./layout.module.css";
import { FOOTER_COLUMNS } from "./site-links.ts";

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

/**
 * Moves the focus to a new page's heading, so that a screen reader reads it and Tab goes on from there, as after the
 * load of a document. What a page or a dialog has focused by itself keeps the focus.
 */
function useFocusOnArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>("main h1");
        if (!heading || document.activeElement?.closest("main, [role=dialog], [role=alertdialog]")) return;
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    [router],
  );
}

function Footer() {
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.about}>
          <Logo />
          <p>Upload a PDF, choose how it is printed, and a shop near your college does the rest.</p>
        </div>
        {FOOTER_COLUMNS.map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className={classes.title}>{title}</h2>
            <ul className={classes.list}>
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} className={classes.link}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <p className={classes.copyright}>
          © 2024 <Link to="/">{BRAND}</Link>. All rights reserved.
        </p>
      </div>
    </footer>
  );
}
