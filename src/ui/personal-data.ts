import { createStore, delMany, keys } from "idb-keyval";
import { HOUR_MS } from "#shared/durations.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import { GUEST, setViewer } from "./page-cache.ts";
import { removeShared } from "./shared-files.ts";

/**
 * Personal data in this browser. It is cleared in every tab on logout and when somebody else logs in, but not when
 * a session expires, so that the same student can continue after the next login; on a shared computer then, too.
 */

/** Local storage key of the user id that owns the data in this browser. */
export const OWNER_KEY = "owner";
/** Local storage key of the time by this device's clock, in ms, at which the visit that owns the data is over. */
const VISIT_END_KEY = "visit-end";
/** Local storage key that is set while somebody is logged in on a shared computer. */
const SHARED_KEY = "shared-computer";
/** Settings of the browser, which are not personal. */
const SETTINGS = new Set(["mantine-color-scheme-value", "console-sound"]);

/** Files and thumbnails in IndexedDB. */
export const fileStore = createStore("print-store", "files");

/** The user whose data this tab may hold; null before login and after logout. */
let owner: string | null = null;
/** False if local storage is forbidden, so that other tabs cannot be noticed. */
let isMarked = false;
const listeners = new Set<() => void>();
const ownerListeners = new Set<() => void>();

/** Calls the listener when data in memory must be cleared. */
export function onPersonalDataCleared(listener: () => void): void {
  listeners.add(listener);
}

/** Calls the listener when the owner changes. @returns unsubscribe */
export function onOwnerChanged(listener: () => void): () => void {
  ownerListeners.add(listener);
  return () => ownerListeners.delete(listener);
}

/** The user whose data this tab holds now; asynchronous work compares it later by `isStillOwner`. */
export function currentOwner(): string | null {
  return owner;
}

/**
 * False after the user has logged out: results that arrive later must not be stored, above all not for the next
 * user.
 */
export function isStillOwner(userId: string | null): boolean {
  return userId !== null && owner === userId;
}

/** The user id in a storage key such as `draft:<user>:<shop>`. */
export function ownerOf(name: string): string | null {
  return name.split(":")[1] ?? null;
}

/** Whether the browser holds data of this user or of nobody. */
export function isBrowserOf(userId: string): boolean {
  const marked = readOwner();
  return marked === null || marked === userId;
}

/** False after this user, for whom this tab has claimed the browser, has logged out in another tab. */
export function ownsBrowser(userId: string): boolean {
  return !isMarked || readOwner() === userId;
}

const VISIT = "visit-";

/** The owner of what a visit at a shop's counter stores in this browser. */
export function visitOwner(id: string): string {
  return `${VISIT}${id}`;
}

/** Whether this owner of data is a visit. */
export function isVisit(owner: string): boolean {
  return owner.startsWith(VISIT);
}

/** Whether the browser holds data of a visit. */
export function isBrowserOfVisit(): boolean {
  return isVisit(readOwner() ?? "");
}

/** Clears the data of a visit whose time is over, for browsers in which no counter is opened any more. */
export function clearEndedVisit(): void {
  attempt(() => {
    const end = window.localStorage.getItem(VISIT_END_KEY);
    if (isBrowserOfVisit() && end !== null && Number(end) <= Date.now()) clearPersonalData();
  });
}

/** Session storage key that is set while the box for a shared computer is ticked in this tab, until somebody is logged in. */
const TICKED_KEY = "isShared";

/** Whether the box was ticked in this tab, on this page or one before the login. */
export function isSharedTicked(): boolean {
  return attempt(() => window.sessionStorage.getItem(TICKED_KEY)) !== null;
}

export function tickShared(isTicked: boolean): void {
  attempt(() => {
    if (isTicked) window.sessionStorage.setItem(TICKED_KEY, "yes");
    else window.sessionStorage.removeItem(TICKED_KEY);
  });
}

/** Remembers what the user said at the login: whether others use the computer too. */
export function markSharedComputer(isShared: boolean): void {
  attempt(() => {
    if (isShared) window.localStorage.setItem(SHARED_KEY, "yes");
    else window.localStorage.removeItem(SHARED_KEY);
  });
  if (isShared) void setViewer(GUEST);
  tickShared(false);
}

export function isSharedComputer(): boolean {
  return attempt(() => window.localStorage.getItem(SHARED_KEY)) === "yes";
}

/** A visit has begun before its browser is claimed for it, so it is over by then. */
function storeVisitEnd(): void {
  if (window.localStorage.getItem(VISIT_END_KEY) !== null) return;
  window.localStorage.setItem(VISIT_END_KEY, String(Date.now() + VISIT_HOURS * HOUR_MS));
}

/**
 * Makes this user the owner of the browser's data, after clearing data of others. If the data belongs to somebody
 * else, call it only after asking the server who is logged in: a tab may remember a user who has logged out in
 * another tab.
 */
export function claimBrowser(userId: string): void {
  const marked = readOwner();
  // Pages are rendered for a visitor as for any guest, and a shared computer keeps none of a student.
  const viewer = isVisit(userId) || isSharedComputer() ? GUEST : userId;
  if (owner === userId && (!isMarked || marked === userId)) return void setViewer(viewer);
  if (marked !== userId) clearStored(marked === null ? userId : null);
  // Another tab has cleared the storages, and may have filled them for this user since.
  else if (owner !== null) clearMemory();
  // Files of nobody stay: whoever logs in next is asked whether they are theirs.
  void removeShared((shared) => shared.owner !== "" && shared.owner !== userId).catch(() => {});
  setOwner(userId);
  attempt(() => window.localStorage.setItem(OWNER_KEY, userId));
  if (isVisit(userId)) attempt(storeVisitEnd);
  isMarked = readOwner() === userId;
  void setViewer(viewer);
}

/** Clears all personal data in this tab and in the browser's storages; other tabs notice it there. */
export function clearPersonalData(): void {
  clearStored(null);
  void removeShared(() => true).catch(() => {});
}

/** @param except a user whose stored items and files stay */
function clearStored(except: string | null): void {
  clearMemory();
  void setViewer(GUEST);
  const kept: string[] = [];
  attempt(() => {
    for (const [key, value] of Object.entries(window.localStorage)) {
      if (except !== null && ownerOf(key) === except) kept.push(value);
      else if (!SETTINGS.has(key)) window.localStorage.removeItem(key);
    }
  });
  attempt(() => window.sessionStorage.clear());
  clearFiles(kept).catch(() => {});
  closeNotifications().catch(() => {});
}

/** They name orders, and stay on the screen until somebody presses them. */
async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}

/** Files and thumbnails are stored under the file's key, which its draft contains. */
async function clearFiles(keptDrafts: string[]): Promise<void> {
  const isKept = (name: IDBValidKey) =>
    keptDrafts.some((draft) => draft.includes(`"${ownKeyOf(String(name))}"`));
  await delMany(
    (await keys(fileStore)).filter((name) => !isKept(name)),
    fileStore,
  );
}

function ownKeyOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Clears it in this tab only: another tab, which cleared the storages, may have filled them for the next user since. */
export function clearMemory(): void {
  setOwner(null);
  for (const forget of listeners) forget();
}

function setOwner(userId: string | null): void {
  owner = userId;
  for (const tell of ownerListeners) tell();
}

/**
 * Reloads this tab when another tab has cleared its user's data, also on return from the back/forward cache.
 * Without a user it calls `lookAgain` when somebody has logged in in another tab.
 */
export function followOwner(lookAgain: () => void): void {
  const compare = (isNews: boolean) => {
    const marked = readOwner();
    if (owner === null) {
      if (isNews && marked !== null) lookAgain();
    } else if (isMarked && marked !== owner) {
      clearMemory();
      window.location.reload();
    }
  };
  window.addEventListener("storage", ({ key }) => compare(key === OWNER_KEY));
  window.addEventListener("pageshow", ({ persisted }) => compare(persisted));
}

function readOwner(): string | null {
  return attempt(() => window.localStorage.getItem(OWNER_KEY));
}

/** If storage is full or forbidden, the page continues with what is in memory. */
export function attempt<Result>(access: () => Result): Result | null {
  try {
    return access();
  } catch {
    return null;
  }
}
