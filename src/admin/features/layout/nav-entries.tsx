import { Badge } from "@mantine/core";
import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Procedure } from "#shared/permissions.ts";
import type { Icon } from "#ui/icon.tsx";
import { trpc } from "#ui/trpc.ts";
import TbBuildingStore from "~icons/tabler/building-store";
import TbCashRegister from "~icons/tabler/cash-register";
import TbChartBar from "~icons/tabler/chart-bar";
import TbFileImport from "~icons/tabler/file-import";
import TbHistory from "~icons/tabler/history";
import TbMail from "~icons/tabler/mail";
import TbMessage from "~icons/tabler/message";
import TbPrinter from "~icons/tabler/printer";
import TbQrcode from "~icons/tabler/qrcode";
import TbReceipt from "~icons/tabler/receipt";
import TbUsers from "~icons/tabler/users";
import { useLive } from "../live/live.store.ts";

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

export const NAV_GROUPS: NavGroup[] = [
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
      { to: "/mails", label: "Mails", icon: TbMail, needs: "mail.list", badge: FailedMails },
      { to: "/audit", label: "Audit log", icon: TbHistory, needs: "audit.list" },
    ],
  },
];

/** Orders that arrived since this tab was last used. */
function NewOrders() {
  return <CountBadge count={useLive(({ unseen }) => unseen)} label="new" />;
}

const BADGE_REFRESH_MS = 60_000;

/** Mails that could not be sent. */
function FailedMails() {
  const { data } = trpc.mail.facts.useQuery(undefined, { refetchInterval: BADGE_REFRESH_MS });
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
