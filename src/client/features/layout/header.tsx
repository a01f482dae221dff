import { Link } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { SUCCESS } from "#shared/messages.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { messageOf } from "#ui/errors.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { BRAND, Logo } from "#ui/logo.tsx";
import { clearPersonalData } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import TbMenu2 from "~icons/tabler/menu-2";
import TbUserCircle from "~icons/tabler/user-circle";
import TbX from "~icons/tabler/x";
import { useInstall } from "../../lib/install.ts";
import { useAuth, useSetUser } from "../../lib/session.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import classes from "./header.module.css";

const MAIN_LINKS = [
  { to: "/", label: "Home" },
  { to: "/about-us", label: "About" },
  { to: "/shops", label: "Shops" },
  { to: "/contact-us", label: "Contact" },
] as const;

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

const DRAWER_ID = "main-navigation";

/** The navigation of narrow screens, sliding in from the left. A native popover, which opens before hydration. */
function NavDrawer() {
  const popover = useBackClosesPopover();
  return (
    <>
      <IconButton label="Open the menu" popoverTarget={DRAWER_ID} className={classes.opener}>
        <TbMenu2 size={24} />
      </IconButton>
      <div
        {...popover}
        id={DRAWER_ID}
        popover="auto"
        role="dialog"
        aria-label={BRAND}
        className={classes.drawer}
      >
        <div className={classes.top}>
          <h2 className={classes.title}>
            <Logo />
          </h2>
          <IconButton label="Close the menu" popoverTarget={DRAWER_ID} popoverTargetAction="hide">
            <TbX size={24} />
          </IconButton>
        </div>
        <nav aria-label="Main">
          {MAIN_LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={classes.navDrawerLink}
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

const GUEST_LINKS = [
  { to: "/login", label: "Login" },
  { to: "/signup", label: "Signup" },
] as const;

const USER_LINKS = [
  { to: "/profile", label: "Profile" },
  { to: "/orders", label: "Orders" },
  { to: "/settings", label: "Settings" },
] as const;

const MENU_ID = "account-menu";
const TITLE = "My Account";

/** The account dropdown. A native popover, which opens before hydration. */
function AccountMenu() {
  const { status, userData } = useAuth(true);
  const logout = useLogout();
  const install = useInstall();
  const popover = useBackClosesPopover();
  const links = status ? USER_LINKS : GUEST_LINKS;

  function startLogout(event: MouseEvent<HTMLElement>) {
    closePopover(event);
    logout.mutate();
  }

  return (
    <>
      <button type="button" popoverTarget={MENU_ID} className={classes.accountMenuOpener}>
        <TbUserCircle size={24} />
        <span className={classes.label}>{TITLE}</span>
      </button>
      <div {...popover} id={MENU_ID} popover="auto" className={classes.menu}>
        <h2 className={classes.accountMenuTitle}>{TITLE}</h2>
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
          {install && (
            <li>
              <button
                type="button"
                className={classes.item}
                onClick={(event) => {
                  closePopover(event);
                  install();
                }}
              >
                Install the app
              </button>
            </li>
          )}
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

/** Covers the page while the logout runs. */
function LoggingOut() {
  return (
    <div role="status" className={classes.overlay}>
      <h2>Loading...</h2>
    </div>
  );
}

/** Logs out and shows the result. */
function useLogout() {
  const setUser = useSetUser();
  return trpc.accounts.logout.useMutation({
    onSuccess: async () => {
      clearPersonalData();
      showSuccess(SUCCESS.loggedOut);
      await setUser(null);
    },
    onError: (error) => {
      showError({ title: messageOf(error) });
    },
  });
}

/** Props of a native popover that Back closes. */
function useBackClosesPopover() {
  const ref = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may have been opened before hydration.
  useEffect(() => setOpen(ref.current?.matches(":popover-open") ?? false), []);
  useBackCloses(isOpen, () => ref.current?.hidePopover());
  return { ref, onToggle: ({ newState }: { newState: string }) => setOpen(newState === "open") };
}

/** Closes the native popover that contains the clicked element. */
function closePopover(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}
