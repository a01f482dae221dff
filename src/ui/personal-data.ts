import { createStore, delMany, keys } from "idb-keyval";

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
export function onPersonalDataCleared(listener: () => void): void {
  listeners.add(listener);
}

/** Whose data this tab holds now, for what ends later: only while it is still theirs, it may be kept. */
export function currentOwner(): string | null {
  return owner;
}

/** False once the student has logged out: what ends late must not be kept any more, above all not with the next one's. */
export function isStillOwner(userId: string | null): boolean {
  return userId !== null && owner === userId;
}

/** Whose a thing is that is kept under such a name: `draft:<user>:<shop>`. */
export function ownerOf(name: string): string | null {
  return name.split(":")[1] ?? null;
}

/** Whether no mark says that the browser holds data of somebody else than this student. */
export function isBrowserOf(userId: string): boolean {
  const marked = readOwner();
  return marked === null || marked === userId;
}

/**
 * Says who uses this browser now: against another's mark only the store's answer of this moment may, since what a tab
 * remembers may be of somebody who has logged out in another. Whatever the browser holds of somebody else is forgotten
 * first; without a mark, as versions before it left none, what is kept under this student's id stays.
 */
export function claimBrowser(userId: string): void {
  if (owner === userId) return;
  const marked = readOwner();
  if (marked !== userId) clearPersonalData(marked === null ? userId : null);
  owner = userId;
  attempt(() => window.localStorage.setItem(OWNER_KEY, userId));
  isMarked = readOwner() === userId;
}

/**
 * Forgets everything of a person in this tab, in the browser's storages, and by these in the other tabs; but for what is
 * kept under the id of `except`, and the files of those drafts.
 */
export function clearPersonalData(except: string | null = null): void {
  clearMemory();
  const kept: string[] = [];
  attempt(() => {
    for (const [key, value] of Object.entries(window.localStorage)) {
      if (except !== null && ownerOf(key) === except) kept.push(value);
      else if (!SETTINGS.has(key)) window.localStorage.removeItem(key);
    }
  });
  attempt(() => window.sessionStorage.clear());
  clearFiles(kept).catch(() => {});
}

/** A file's bytes and picture are kept under its key, which its draft names. */
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

function clearMemory(): void {
  owner = null;
  for (const forget of listeners) forget();
}

/**
 * Loads this tab anew once another tab has forgotten its person, or the browser shows it again as it was before. A tab of
 * nobody calls `lookAgain` once somebody has logged in elsewhere.
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
