import { Link } from "@tanstack/react-router";
import { BRAND, Logo } from "../../ui/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import classes from "./header.module.css";
import { NavDrawer } from "./nav-drawer.tsx";
import { MAIN_LINKS } from "./site-links.ts";

export function Header() {
  return (
    <header className={classes.header}>
      <div className={classes.row}>
        <NavDrawer />
        <Link to="/" className={classes.home} aria-label={`${BRAND}, home`}>
          <Logo />
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          {MAIN_LINKS.map(({ to, label }) => (
            <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === "/" }}>
              {label}
            </Link>
          ))}
        </nav>
        <AccountMenu />
      </div>
    </header>
  );
}
