import {
  type Icon,
  IconBuildingStore,
  IconChartBar,
  IconFileImport,
  IconHistory,
  IconMail,
  IconMessage,
  IconPrinter,
  IconUsers,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { NewOrders } from "../live/new-orders.tsx";
import { FailedMails } from "../mails/failed-mails.tsx";
import { NewMessages } from "../messages/new-messages.tsx";

export interface NavEntry {
  to: LinkProps["to"];
  label: string;
  icon: Icon;
  /** What concerns the whole store is not shown to owners. */
  adminOnly?: boolean;
  /** Says at the end of the entry how much waits there. */
  badge?: ComponentType;
}

/** Entries that belong together, under a heading. */
export interface NavGroup {
  title: string;
  entries: NavEntry[];
}

export const NAV_GROUPS: NavGroup[] = [
  {
    title: "Work",
    entries: [
      { to: "/orders", label: "Orders", icon: IconPrinter, badge: NewOrders },
      { to: "/figures", label: "Figures", icon: IconChartBar },
    ],
  },
  {
    title: "Shops",
    entries: [
      { to: "/shops", label: "Shops", icon: IconBuildingStore },
      { to: "/seeding", label: "Seed file", icon: IconFileImport, adminOnly: true },
    ],
  },
  {
    title: "Store",
    entries: [
      { to: "/people", label: "People", icon: IconUsers, adminOnly: true },
      { to: "/messages", label: "Messages", icon: IconMessage, adminOnly: true, badge: NewMessages },
      { to: "/mails", label: "Mails", icon: IconMail, adminOnly: true, badge: FailedMails },
      { to: "/audit", label: "Audit log", icon: IconHistory },
    ],
  },
];
