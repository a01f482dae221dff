import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { indianClock } from "#shared/indian-time.ts";
import { useFocusOnArrival } from "#ui/focus.ts";
import { BRAND, Logo } from "#ui/logo.tsx";
import { useConnection } from "../../lib/connection.ts";
import { Header } from "./header.tsx";
import classes from "./layout.module.css";

const MAIN_ID = "content";

/** The layout of every page. Children of `main` stay in the page's column; a Section spans the window. */
export function Layout({ children }: { children: ReactNode }) {
  useFocusOnArrival();
  return (
    <div className={classes.layout}>
      <a href={`#${MAIN_ID}`} className={classes.skip}>
        Skip to content
      </a>
      <Header />
      <OfflineNotice />
      <main id={MAIN_ID} tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
    </div>
  );
}

/** Says that there is no connection, and how old the page is; part of no page, so that nothing moves. */
function OfflineNotice() {
  const { isOffline, pageFrom } = useConnection();
  return (
    <div role="status" className={classes.offline}>
      {isOffline && (
        <p>You are offline.{pageFrom !== null && ` This page is from ${indianClock(pageFrom)}.`}</p>
      )}
    </div>
  );
}

/** Pages with one task, whose footer is small. */
const TASKS =
  /^\/(login|signup|account-verify|login-with-otp|forgotpassword|reset-password|printnow|printorder)$/;

const FOOTER_COLUMNS = [
  {
    title: "Useful Links",
    links: [
      { to: "/", label: "Home" },
      { to: "/about-us", label: "About Us" },
      { to: "/contact-us", label: "Contact Us" },
    ],
  },
  {
    title: "Help",
    links: [
      { to: "/how-it-works", label: "How it works" },
      { to: "/faq", label: "FAQs" },
      { to: "/support", label: "Support" },
    ],
  },
  {
    title: "Legal",
    links: [
      { to: "/privacy-policy", label: "Privacy Policy" },
      { to: "/terms-and-conditions", label: "Terms and Conditions" },
      { to: "/refund-and-cancellation", label: "Refund and Cancellation" },
    ],
  },
] as const;

function Footer() {
  const isSmall = useLocation({ select: ({ pathname }) => TASKS.test(pathname) });
  return (
    <footer className={classes.footer} data-small={isSmall || undefined}>
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
