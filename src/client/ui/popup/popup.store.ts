import type { Popup } from "#shared/messages.ts";

/** A link in a popup. */
export interface PopupLink {
  to: string;
  label: string;
}

export interface ShownPopup extends Popup {
  id: number;
  link?: PopupLink | undefined;
  kind: "success" | "error";
  close: () => void;
}

let shown: readonly ShownPopup[] = [];
let newest = 0;
const listeners = new Set<() => void>();

/** Shows a popup after those of its kind that are already open; resolves when it is closed. */
function showPopup(kind: ShownPopup["kind"], popup: Popup, link?: PopupLink): Promise<void> {
  return new Promise((resolve) => {
    const entry: ShownPopup = {
      ...popup,
      id: ++newest,
      link,
      kind,
      close: () => {
        change(shown.filter((other) => other !== entry));
        resolve();
      },
    };
    change([...shown, entry]);
  });
}

/** Shows a success beside the page, which stays usable; it goes by itself. */
export function showSuccess(popup: Popup, link?: PopupLink): Promise<void> {
  return showPopup("success", popup, link);
}

/** Shows an error over the page until it is dismissed. */
export function showError(popup: Popup): Promise<void> {
  return showPopup("error", popup);
}

export function subscribeToPopups(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All popups that are open or wait, the oldest first. */
export function openPopups(): readonly ShownPopup[] {
  return shown;
}

/** In milliseconds: a title can be read at a glance, a text needs time, and a link needs time to be reached. */
const GLANCE_MS = 4000;
const START_MS = 2000;
const MS_PER_LETTER = 80;
const LINK_MS = 4000;
/** How long a success stays while the next one waits. */
const HURRIED_MS = 1500;

/** How long a success is shown, in milliseconds. */
export function successMs(
  { title, text = "", link }: Pick<ShownPopup, "title" | "text" | "link">,
  isNextWaiting: boolean,
): number {
  if (isNextWaiting) return HURRIED_MS;
  const reading = START_MS + MS_PER_LETTER * (title.length + text.length);
  return (text ? Math.max(GLANCE_MS, reading) : GLANCE_MS) + (link ? LINK_MS : 0);
}

function change(next: readonly ShownPopup[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
