import { IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { useAuth } from "../../lib/session.ts";
import { closePopover } from "../../ui/popover.ts";
import classes from "./account-menu.module.css";
import { LoggingOut } from "./logging-out.tsx";
import { GUEST_LINKS, USER_LINKS } from "./site-links.ts";
import { useLogout } from "./use-logout.ts";

const MENU_ID = "account-menu";
const TITLE = "My Account";

/** The account dropdown. A native popover, so that it opens before any script ran. */
export function AccountMenu() {
  const { status, userData } = useAuth();
  const logout = useLogout();
  const links = status ? USER_LINKS : GUEST_LINKS;

  function startLogout(event: MouseEvent<HTMLElement>) {
    closePopover(event);
    logout.mutate();
  }

  return (
    <>
      <button type="button" popoverTarget={MENU_ID} className={classes.opener}>
        <IconUserCircle aria-hidden="true" />
        <span className={classes.label}>{TITLE}</span>
      </button>
      <div id={MENU_ID} popover="auto" className={classes.menu}>
        <h2 className={classes.title}>{TITLE}</h2>
        {userData && (
          <p className={classes.person}>
            <strong>{userData.fullName}</strong>
            <span>{userData.email}</span>
          </p>
        )}
        <ul className={classes.list}>
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={classes.item} onClick={closePopover}>
                {label}
              </Link>
            </li>
          ))}
          {status && (
            <li className={classes.last}>
              <button type="button" className={classes.item} onClick={startLogout}>
                Logout
              </button>
            </li>
          )}
        </ul>
      </div>
      {logout.isPending && <LoggingOut />}
    </>
  );
}
