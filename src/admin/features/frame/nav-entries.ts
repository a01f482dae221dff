import { type Icon, IconHistory } from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";

export interface NavEntry {
  to: LinkProps["to"];
  label: string;
  icon: Icon;
  /** What concerns the whole store is not shown to owners. */
  adminOnly?: boolean;
}

/** Entries that belong together, under a heading. */
export interface NavGroup {
  title: string;
  entries: NavEntry[];
}

export const NAV_GROUPS: NavGroup[] = [
  { title: "Work", entries: [] },
  { title: "Shops", entries: [] },
  {
    title: "Store",
    entries: [{ to: "/audit", label: "Audit log", icon: IconHistory }],
  },
];
