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
import type { Procedure } from "#shared/permissions.ts";
import { NewOrders } from "../live/new-orders.tsx";
import { FailedMails } from "../mails/failed-mails.tsx";
import { NewMessages } from "../messages/new-messages.tsx";

export interface NavEntry {
  to: LinkProps["to"];
  label: string;
  icon: Icon;
  /** The call that the screen shows the answer of: who may not make it does not see the entry. */
  needs: Procedure;
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
      { to: "/orders", label: "Orders", icon: IconPrinter, needs: "queue.board", badge: NewOrders },
      { to: "/figures", label: "Figures", icon: IconChartBar, needs: "figures.read" },
    ],
  },
  {
    title: "Shops",
    entries: [
      { to: "/shops", label: "Shops", icon: IconBuildingStore, needs: "shops.admin.list" },
      { to: "/seeding", label: "Seed file", icon: IconFileImport, needs: "seeding.export" },
    ],
  },
  {
    title: "Store",
    entries: [
      { to: "/people", label: "People", icon: IconUsers, needs: "staff.list" },
      { to: "/messages", label: "Messages", icon: IconMessage, needs: "contact.list", badge: NewMessages },
      { to: "/mails", label: "Mails", icon: IconMail, needs: "mail.list", badge: FailedMails },
      { to: "/audit", label: "Audit log", icon: IconHistory, needs: "audit.list" },
    ],
  },
];
