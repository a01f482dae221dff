import { create } from "zustand";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { claimBrowser, ownsBrowser } from "#ui/personal-data.ts";

/** The person whose session has ended while their screens stay; null while nobody has to log in again. */
export const useSessionEnd = create<{ user: StaffAccount | null }>(() => ({ user: null }));

/** Who works in this tab. */
let staff: StaffAccount | null = null;
let waiting: PromiseWithResolvers<boolean> | null = null;
let isLeaving = false;

// Registered before those of dialogs and of unsaved forms, which would close what is below, or keep it for another person.
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

/** Remembers who works in this tab, and whose typed text it therefore holds; null after logout. */
export function rememberStaff(user: StaffAccount | null): void {
  staff = user;
}

export function isSomebodyHere(): boolean {
  return staff !== null;
}

/**
 * Whether this tab may go on, now that the server knows `user` by its session. After an expired session it waits until the
 * same person has logged in again. It never answers for another person, for whom the console is loaded anew.
 */
export function continueAs(user: CurrentUser | null): boolean | Promise<boolean> {
  if (waiting) return waiting.promise;
  if (!staff) return user !== null;
  if (user) return user._id === staff._id || leaveTo(user);
  // After a logout in another tab the browser has no owner.
  if (!ownsBrowser(staff._id)) {
    staff = null;
    return false;
  }
  waiting = Promise.withResolvers();
  useSessionEnd.setState({ user: staff });
  return waiting.promise;
}

/** Goes on after the login over the screen; for somebody else everything that was typed is dropped. */
export function endWaiting(user: CurrentUser): void {
  if (!waiting) return;
  if (user.role === "customer" || user._id !== staff?._id) return void leaveTo(user);
  waiting.resolve(true);
  waiting = null;
  useSessionEnd.setState({ user: null });
}

function leaveTo(user: CurrentUser): Promise<never> {
  isLeaving = true;
  claimBrowser(user._id);
  window.location.assign("/admin");
  return new Promise(() => {});
}
