import { clear, createStore } from "idb-keyval";

/**
 * What this browser holds of the student who uses it: it goes when they log out and when somebody else logs in, in every
 * tab. A session that merely ran out leaves it, so that the same student goes on after the next login.
 */

/** In local storage: the id of the student whose data the browser holds. */
const OWNER_KEY = "owner";
/** The browser's own settings, which say nothing of a person. */
const SETTINGS = new Set(["mantine-color-scheme-value"]);

/** Bytes and pictures of files, in IndexedDB. */
export const fileStore = createStore("print-store", "files");

/** Whose data this tab may hold; null before a login and after a logout. */
let owner: string | null = null;
/** False where the browser forbids the mark, and no other tab can tell that the person has changed. */
let isMarked = false;
const listeners = new Set<() => void>();

/** Calls the listener when data held in memory must go. */
export function onForget(listener: () => void): void {
  listeners.add(listener);
}

/** False after a logout: what ends late must not be kept any more. */
export function mayKeep(): boolean {
  return owner !== null;
}

/** Says who uses this browser now. Whatever it holds of somebody else is forgotten first. */
export function claimBrowser(userId: string): void {
  if (owner === userId) return;
  if (readOwner() !== userId) forgetPerson();
  owner = userId;
  attempt(() => window.localStorage.setItem(OWNER_KEY, userId));
  isMarked = readOwner() === userId;
}

/** Forgets everything of a person in this tab, in the browser's storages, and by these in the other tabs. */
export function forgetPerson(): void {
  forgetInMemory();
  attempt(() => {
    for (const key of Object.keys(window.localStorage)) {
      if (!SETTINGS.has(key)) window.localStorage.removeItem(key);
    }
  });
  attempt(() => window.sessionStorage.clear());
  clear(fileStore).catch(() => {});
}

function forgetInMemory(): void {
  owner = null;
  for (const forget of listeners) forget();
}

/** Loads this tab anew once another tab has forgotten its person, or the browser shows it again as it was before. */
export function followOwner(): void {
  const reloadIfForgotten = () => {
    if (owner === null || !isMarked || readOwner() === owner) return;
    forgetInMemory();
    window.location.reload();
  };
  window.addEventListener("storage", reloadIfForgotten);
  window.addEventListener("pageshow", reloadIfForgotten);
}

function readOwner(): string | null {
  return attempt(() => window.localStorage.getItem(OWNER_KEY)) ?? null;
}

/** A full or forbidden storage must not stop anybody. */
function attempt<Result>(access: () => Result): Result | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
