import {
  ActionIcon,
  Anchor,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Popover,
  ScrollArea,
  Select,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, type LinkProps, Outlet, useNavigate, useRouter } from "@tanstack/react-router";
import { type ComponentType, useEffect } from "react";
import { mayCall, type Procedure } from "#shared/permissions.ts";
import { useBackCloses } from "#ui/back-closes.ts";
import { useFocusOnArrival } from "#ui/focus.ts";
import type { Icon } from "#ui/icon.tsx";
import { LogoMark } from "#ui/logo.tsx";
import { trpc } from "#ui/trpc.ts";
import TbBuildingStore from "~icons/tabler/building-store";
import TbCashRegister from "~icons/tabler/cash-register";
import TbChartBar from "~icons/tabler/chart-bar";
import TbFileImport from "~icons/tabler/file-import";
import TbHistory from "~icons/tabler/history";
import TbMail from "~icons/tabler/mail";
import TbMessage from "~icons/tabler/message";
import TbMoon from "~icons/tabler/moon";
import TbPrinter from "~icons/tabler/printer";
import TbQrcode from "~icons/tabler/qrcode";
import TbReceipt from "~icons/tabler/receipt";
import TbSun from "~icons/tabler/sun";
import TbUserCircle from "~icons/tabler/user-circle";
import TbUsers from "~icons/tabler/users";
import { useCurrentShop, useFirstShops, useShopChoices, useShopNamed } from "../../lib/my-shops.ts";
import { showFailure } from "../../lib/notices.tsx";
import { useSetUser, useStaffUser } from "../../lib/session.ts";
import { ShortcutHelp } from "../../lib/shortcuts.tsx";
import { LiveOrders, useLive } from "../live/live-orders.tsx";
import classes from "./layout.module.css";
import { StockMenu } from "./stock-menu.tsx";

const MAIN_ID = "main";

/** The layout of every screen of the console. */
export function Layout() {
  const [opened, { toggle, close }] = useDisclosure();
  useBackCloses(opened, close);
  useNewRole();
  useFocusOnArrival();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: "md", collapsed: { mobile: !opened } }}
      padding={{ base: "sm", md: "lg" }}
    >
      <LiveOrders />
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
          <StockMenu />
          <ShortcutHelp />
          <SchemeSwitch />
          <AccountMenu />
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

/** Shows the screens of another role that the person turns out to have, such as after the login that a change of it asks for. */
function useNewRole(): void {
  const { role } = useStaffUser();
  const router = useRouter();
  const known = trpc.accounts.me.useQuery(undefined, { enabled: false }).data?.role;
  useEffect(() => {
    if (known && known !== role) void router.invalidate();
  }, [known, role, router]);
}

/** Switches between light and dark; the default is the system's. */
function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="var(--ink)"
      size="lg"
      aria-label={`Switch to ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      {other === "light" ? <TbSun size={20} /> : <TbMoon size={20} />}
    </ActionIcon>
  );
}

const ALL = "all";

/** Filters the console by one of the person's shops; with only one shop there is no choice. */
function ShopSwitcher() {
  const [only, second] = useFirstShops();
  const shop = useCurrentShop();
  const { role } = useStaffUser();
  const navigate = useNavigate();
  const choices = useShopChoices(useShopNamed(shop).data?.shops, [
    { value: ALL, label: role === "admin" ? "All shops" : "All my shops" },
  ]);

  function choose(value: string | null) {
    const chosen = value && value !== ALL ? value : undefined;
    // The open order may be of another shop than the chosen one.
    const others = chosen ? { shop: chosen, order: undefined } : { shop: undefined };
    void navigate({ to: ".", search: (search) => ({ ...search, ...others }) });
  }

  if (only && !second) {
    return (
      <Text component="strong" fw={700} truncate miw={0} title={only.name}>
        {only.name}
      </Text>
    );
  }
  return (
    <Select
      aria-label="Shop"
      size="sm"
      maw={440}
      classNames={{ input: classes.shop }}
      flex={1}
      allowDeselect={false}
      maxDropdownHeight={360}
      value={shop ?? ALL}
      onChange={choose}
      {...choices}
    />
  );
}

/** The logged-in person, with logout. */
function AccountMenu() {
  const { fullName, email, role } = useStaffUser();
  const setUser = useSetUser();
  const logout = trpc.accounts.logout.useMutation({ onSuccess: () => setUser(null), onError: showFailure });
  const [opened, { toggle, close }] = useDisclosure();
  useBackCloses(opened, close);
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-end"
      width={280}
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          c="var(--ink)"
          size="lg"
          aria-label="My account"
          onClick={toggle}
        >
          <TbUserCircle size={22} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="My account">
        <Stack gap="sm">
          <div>
            <Text fw={600}>{fullName}</Text>
            <Text size="sm" c="dimmed">
              {email}, {role}
            </Text>
          </div>
          <Anchor component={Link} to="/security" underline="always" onClick={close}>
            Security
          </Anchor>
          <Anchor href="/" underline="always">
            Storefront
          </Anchor>
          <Button variant="default" onClick={() => logout.mutate()} loading={logout.isPending}>
            Log out
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The console's navigation. @param onNavigate closes the drawer on a narrow screen */
function Nav({ onNavigate }: { onNavigate: () => void }) {
  const { role } = useStaffUser();
  const groups = NAV_GROUPS.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ needs }) => mayCall(needs, role)),
  })).filter(({ entries }) => entries.length > 0);

  return (
    <nav aria-label="Console">
      {groups.map(({ title, entries }) => (
        <section key={title} className={classes.group}>
          <Text component="h2" className={classes.title}>
            {title}
          </Text>
          <ul className={classes.list}>
            {entries.map(({ to, label, icon: Icon, badge: Badge }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={classes.link}
                  activeProps={{ "data-active": true }}
                  onClick={onNavigate}
                >
                  <Icon size={18} />
                  {label}
                  {Badge && <Badge />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface NavEntry {
  to: LinkProps["to"];
  label: string;
  icon: Icon;
  /** The procedure that the screen calls; people who may not call it do not see the entry. */
  needs: Procedure;
  /** The number of items that wait there. */
  badge?: ComponentType;
}

interface NavGroup {
  title: string;
  entries: NavEntry[];
}

const NAV_GROUPS: NavGroup[] = [
  {
    title: "Work",
    entries: [
      { to: "/orders", label: "Orders", icon: TbPrinter, needs: "board.read", badge: NewOrders },
      { to: "/counter", label: "Counter", icon: TbQrcode, needs: "counter.today" },
      { to: "/payments", label: "Payments", icon: TbReceipt, needs: "book.orders" },
      { to: "/closing", label: "Close the day", icon: TbCashRegister, needs: "book.day" },
      { to: "/stats", label: "Stats", icon: TbChartBar, needs: "stats.read" },
    ],
  },
  {
    title: "Shops",
    entries: [
      { to: "/shops", label: "Shops", icon: TbBuildingStore, needs: "shops.admin.list" },
      { to: "/seeding", label: "Seed file", icon: TbFileImport, needs: "seeding.export" },
    ],
  },
  {
    title: "Store",
    entries: [
      { to: "/people", label: "People", icon: TbUsers, needs: "staff.list" },
      { to: "/messages", label: "Messages", icon: TbMessage, needs: "contact.list", badge: NewMessages },
      { to: "/mails", label: "Emails", icon: TbMail, needs: "mail.list", badge: FailedMails },
      { to: "/audit", label: "Audit log", icon: TbHistory, needs: "audit.list" },
    ],
  },
];

/** Orders that arrived since this tab was last used. */
function NewOrders() {
  return <CountBadge count={useLive(({ unseen }) => unseen)} label="new" />;
}

const BADGE_REFRESH_MS = 60_000;

/** Emails that could not be sent. */
function FailedMails() {
  const { data } = trpc.mail.stats.useQuery(undefined, { refetchInterval: BADGE_REFRESH_MS });
  return <CountBadge count={data?.failed ?? 0} label="failed" />;
}

/** Contact messages that nobody has read. */
function NewMessages() {
  const { data } = trpc.contact.counts.useQuery(undefined, { refetchInterval: BADGE_REFRESH_MS });
  return <CountBadge count={data?.new ?? 0} label="new" />;
}

interface CountBadgeProps {
  count: number;
  /** What is counted, for screen readers: `new`, `failed`. */
  label: string;
}

/** A number at the end of an entry; nothing for 0. */
function CountBadge({ count, label }: CountBadgeProps) {
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      ml="auto"
      c="var(--on-accent)"
      circle={count < 10}
      role="img"
      aria-label={`${count} ${label}`}
    >
      {count}
    </Badge>
  );
}
