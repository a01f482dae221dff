import { create } from "zustand";
import { USER_HEADER } from "#shared/calls.ts";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { claimBrowser, clearMemory, isBrowserOf, ownsBrowser } from "#ui/personal-data.ts";

interface SessionEnd {
  /** The person whose screens stay while they are not logged in; null while nobody has to log in again. */
  user: StaffAccount | null;
  /** Who is logged in instead. */
  other: CurrentUser | null;
}

export const useSessionEnd = create<SessionEnd>(() => ({ user: null, other: null }));

/** Whom this tab belongs to: who works in it. */
let staff: StaffAccount | null = null;
let waiting: PromiseWithResolvers<boolean> | null = null;
let isLeaving = false;

// These listeners come before those of dialogs and unsaved forms: while a login waits, Escape must not close the dialog below
// it, and a tab that is loaded anew for another person must not be kept by a question.
window.addEventListener(
  "keydown",
  (event) => {
    if (waiting && event.key === "Escape") event.stopImmediatePropagation();
  },
  { capture: true },
);
window.addEventListener(
  "beforeunload",
  (event) => {
    if (isLeaving) event.stopImmediatePropagation();
  },
  { capture: true },
);

// Menus close at a press outside them, for which they listen on the document.
for (const type of ["mousedown", "touchstart"]) {
  document.body.addEventListener(type, (event) => {
    if (waiting) event.stopPropagation();
  });
}

/** Remembers who works in this tab, and whose typed text it therefore holds; null after logout. */
export function rememberStaff(user: StaffAccount | null): void {
  staff = user;
  if (user && isBrowserOf(user._id)) claimBrowser(user._id);
}

/** Whether the screens of this tab are of somebody else, or of somebody who is not logged in. */
export function isOfAnother(user: CurrentUser | null): boolean {
  return staff !== null && staff._id !== user?._id;
}

/** Whether somebody works here, and does not have to log in again first. */
export function isAtWork(): boolean {
  return staff !== null && waiting === null;
}

/** The headers by which requests of this tab never act for anybody but the person whom it belongs to. */
export function staffHeaders(): Record<string, string> {
  return staff ? { [USER_HEADER]: staff._id } : {};
}

/**
 * Whether this tab may go on, now that the server knows `user` by its session. If that is not the person whom it belongs to,
 * it waits until they have logged in again, and never goes on for another.
 */
export function continueAs(user: CurrentUser | null): boolean | Promise<boolean> {
  if (!staff) return user !== null;
  if (!waiting) {
    if (user?._id === staff._id) return true;
    if (!user && !ownsBrowser(staff._id)) {
      staff = null;
      clearMemory();
      return false;
    }
    waiting = Promise.withResolvers();
    useSessionEnd.setState({ user: staff });
  }
  const { promise } = waiting;
  endWaiting(user);
  return promise;
}

/** Goes on if this is the person whom the tab waits for; otherwise it tells them who is logged in. */
export function endWaiting(user: CurrentUser | null): void {
  if (!waiting) return;
  if (user?._id !== staff?._id) useSessionEnd.setState({ other: user });
  else if (user?.role === "customer") leaveTo(user);
  else {
    if (staff) claimBrowser(staff._id);
    waiting.resolve(true);
    waiting = null;
    useSessionEnd.setState({ user: null, other: null });
  }
}

/** Loads the console anew for somebody else; what was typed is dropped. */
export function leaveTo(user: CurrentUser): void {
  isLeaving = true;
  claimBrowser(user._id);
  window.location.assign("/admin");
}
