import { AppShell, Burger, Group, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet } from "@tanstack/react-router";
import { LogoMark } from "#client/ui/logo.tsx";
import { QueueLive } from "../live/queue-live.tsx";
import classes from "./frame.module.css";
import { FrameMenu } from "./frame-menu.tsx";
import { Nav } from "./nav.tsx";
import { SchemeSwitch } from "./scheme-switch.tsx";
import { ShopSwitcher } from "./shop-switcher.tsx";
import { ShortcutHelp } from "./shortcut-help.tsx";

const MAIN_ID = "main";

/** What stands around every screen of the console. */
export function Frame() {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: "md", collapsed: { mobile: !opened } }}
      padding={{ base: "sm", md: "lg" }}
    >
      <QueueLive />
      <a href={`#${MAIN_ID}`} className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="md"
            size="sm"
            aria-label={opened ? "Close the navigation" : "Open the navigation"}
            aria-expanded={opened}
          />
          <Link to="/" className={classes.brand} aria-label="Print Store staff, start">
            <LogoMark className={classes.mark} />
            <span className={classes.name}>Staff</span>
          </Link>
        </Group>
        <ShopSwitcher />
        <Group gap={4} wrap="nowrap">
          <ShortcutHelp />
          <SchemeSwitch />
          <FrameMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} data-closed={!opened || undefined}>
        <AppShell.Section component={ScrollArea} grow type="auto">
          <Nav onNavigate={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id={MAIN_ID} tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
