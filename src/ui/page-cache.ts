/**
 * Pages that the service worker keeps for times without a connection, and for whom the server rendered them. Everything
 * here does nothing where the browser has no Cache Storage.
 */
export const PAGE_CACHE = "pages";
const VIEWER_CACHE = "viewer";
const VIEWER_KEY = "/viewer";
/** Who looks at a page while nobody is logged in. */
export const GUEST = "";

/** On a page that was rendered for a logged-in user: whose it is. */
export const VIEWER_HEADER = "Page-Viewer";

/** What a page asks of the service worker. */
export type WorkerRequest =
  /** Keep this page, its scripts and its styles, all as paths of this site. */
  | { kind: "keep"; page: string; assets: string[] }
  /** When was this page rendered, if it came from the cache? The answer is a time in ms or null. */
  | { kind: "age" };

/** The user whose pages may be kept and shown. */
export async function readViewer(): Promise<string> {
  const marker = await globalThis.caches?.match(VIEWER_KEY, { cacheName: VIEWER_CACHE });
  return (await marker?.text()) ?? GUEST;
}

/** From now on only pages of this user are kept and shown; those of anybody else are removed. */
export function setViewer(userId: string): Promise<void> {
  return inOrder(async () => {
    if ((await readViewer()) === userId) return;
    // The mark goes first: the worker looks at it again after it has stored a page.
    await caches.delete(VIEWER_CACHE);
    await caches.delete(PAGE_CACHE);
    if (userId === GUEST) return;
    const viewer = await caches.open(VIEWER_CACHE);
    await viewer.put(VIEWER_KEY, new Response(userId));
  });
}

let latest: Promise<void> = Promise.resolve();

function inOrder(act: () => Promise<void>): Promise<void> {
  if (!globalThis.caches) return Promise.resolve();
  latest = latest.then(act).catch(() => {});
  return latest;
}
