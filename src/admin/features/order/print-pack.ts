import { REFUSED_ORDERS_HEADER } from "#shared/calls.ts";
import type { Sizes } from "#shared/paper-sizes.ts";
import { ShownError } from "#ui/errors.ts";
import { fetchAsStaff } from "../../lib/console-link.ts";

/** The reason why there is no pack, for the person who asked for it. */
export class PackRefused extends ShownError {
  /** Orders that cannot be printed any more. */
  readonly orderIds: readonly string[];

  constructor(message: string, orderIds: readonly string[] = []) {
    super(message);
    this.orderIds = orderIds;
  }
}

const BLOCKED = "Your browser blocked the print pack. Allow pop-ups for this page and press Print again";
const CLOSED = "The tab of the print pack was closed. Press Print again for a new one";
const ENDED =
  "Your session has ended. Log in again in the tab of the console: the print pack then comes here";
/** How often to check, in ms, whether the tab of a pack is closed; until then it may be reloaded and saved. */
const LOOK_MS = 60_000;
/** How often and how long to look, in ms, whether the tab shows the pack. */
const SHOWN_MS = 200;
const SHOWN_WITHIN_MS = 15_000;

interface PackOrder {
  id: string;
  number: string;
}

/** A tab for a pack: open it before any await, or the browser blocks it as a pop-up. */
export function openPackTab(orders: readonly PackOrder[]): Window {
  const tab = window.open("", "_blank");
  if (!tab) throw new PackRefused(BLOCKED);
  const numbers = orders.map(({ number }) => number).join(", ");
  tab.document.body.textContent = `Preparing the print pack of ${orders.length === 1 ? "order" : "orders"} ${numbers}…`;
  return tab;
}

export interface PackWishes {
  /** A part of an order that has several, from 1. */
  part?: number | undefined;
  sizes: Sizes;
  checkSession: () => Promise<boolean>;
}

/**
 * The pack of these orders, or of a part of one, as the URL of a blob in this page.
 * @param tab where it will be shown, which says so if the person has to log in again first
 */
export async function fetchPack(
  tab: Window,
  orders: readonly PackOrder[],
  { part, sizes, checkSession }: PackWishes,
): Promise<string> {
  const ids = orders.map(({ id }) => id).join();
  const query = new URLSearchParams({
    ...(part && { part: String(part) }),
    ...(sizes === "own" && { sizes }),
  });
  const response = await fetchAsStaff(`/admin/orders/${ids}/pack.pdf${query.size > 0 ? `?${query}` : ""}`, {
    checkSession() {
      tab.document.body.textContent = ENDED;
      return checkSession();
    },
  });
  if (!response.ok) {
    throw new PackRefused(await response.text(), response.headers.get(REFUSED_ORDERS_HEADER)?.split(","));
  }
  const pack = await response.blob();
  if (tab.closed) throw new PackRefused(CLOSED);
  return URL.createObjectURL(pack);
}

/**
 * Shows a pack in its tab, with the browser's print dialog. The server sends it as a download, because PDF viewers do not work
 * in its sandbox; a blob URL shows it without leaving a file on the shop's disk.
 */
export function showPack(tab: Window, url: string): void {
  tab.location.replace(url);
  revokeOnceClosed(tab, url);
  printOnceShown(tab, url);
}

function printOnceShown(tab: Window, url: string): void {
  const end = performance.now() + SHOWN_WITHIN_MS;
  const look = setInterval(() => {
    const state = stateOf(tab, url);
    if (state === "waiting" && performance.now() < end) return;
    clearInterval(look);
    if (state === "shown") tab.print();
  }, SHOWN_MS);
}

/** `foreign`: some browsers show PDFs in a viewer of their own that this page cannot reach; it has a print button. */
function stateOf(tab: Window, url: string): "waiting" | "shown" | "foreign" {
  try {
    if (tab.closed) return "foreign";
    return tab.location.href === url && tab.document.readyState === "complete" ? "shown" : "waiting";
  } catch {
    return "foreign";
  }
}

function revokeOnceClosed(tab: Window, url: string): void {
  const look = setInterval(() => {
    if (!tab.closed) return;
    clearInterval(look);
    URL.revokeObjectURL(url);
  }, LOOK_MS);
}
