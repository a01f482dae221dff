import { IconMenu2, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { IconButton } from "../../ui/icon-button.tsx";
import { BRAND, Logo } from "../../ui/logo.tsx";
import { closePopover } from "../../ui/popover.ts";
import classes from "./nav-drawer.module.css";
import { MAIN_LINKS } from "./site-links.ts";

const DRAWER_ID = "main-navigation";

/** The navigation of narrow screens: slides in from the left. A native popover, so that it opens before any script ran. */
export function NavDrawer() {
  return (
    <>
      <IconButton label="Open the menu" popoverTarget={DRAWER_ID} className={classes.opener}>
        <IconMenu2 />
      </IconButton>
      <div id={DRAWER_ID} popover="auto" role="dialog" aria-label={BRAND} className={classes.drawer}>
        <div className={classes.top}>
          <h2 className={classes.title}>
            <Logo />
          </h2>
          <IconButton label="Close the menu" popoverTarget={DRAWER_ID} popoverTargetAction="hide">
            <IconX />
          </IconButton>
        </div>
        <nav aria-label="Main">
          {MAIN_LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={classes.link}
              activeOptions={{ exact: to === "/" }}
              onClick={closePopover}
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
    </>
  );
}
