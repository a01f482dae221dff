import type { LinkProps } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { IconType } from "react-icons";
import {
  TbBuildingStore,
  TbChartBar,
  TbFileImport,
  TbHistory,
  TbMail,
  TbMessage,
  TbPrinter,
  TbUsers,
} from "react-icons/tb";
import type { Procedure } from "#shared/permissions.ts";
import { NewOrders } from "../live/new-orders.tsx";
import { FailedMails } from "../mails/failed-mails.tsx";
import { NewMessages } from "../messages/new-messages.tsx";

export interface NavEntry {
  to: LinkProps["to"];
  label: string;
  icon: IconType;
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
      { to: "/orders", label: "Orders", icon: TbPrinter, needs: "queue.board", badge: NewOrders },
      { to: "/figures", label: "Figures", icon: TbChartBar, needs: "figures.read" },
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
