import { Link } from "@tanstack/react-router";
import { BRAND, Logo } from "../../ui/logo.tsx";
import classes from "./footer.module.css";
import { FOOTER_COLUMNS } from "./site-links.ts";

export function Footer() {
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
