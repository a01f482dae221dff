import { createStore } from "zustand/vanilla";
import type { Popup } from "#shared/messages.ts";
import { currentOwner, isVisit, onPersonalDataCleared } from "#ui/personal-data.ts";

/** A link in a popup. */
interface PopupLink {
  to: string;
  label: string;
}

/** A button in a popup, which closes it. */
interface PopupAction {
  label: string;
  act: () => void;
}

export interface ShownPopup extends Popup {
  id: number;
  action?: PopupLink | PopupAction | undefined;
  kind: "success" | "error";
  /** The student who was logged in when it was opened; null for a guest. */
  owner: string | null;
  close: () => void;
}

/** All popups that are open or wait, the oldest first. */
export const popups = createStore<readonly ShownPopup[]>(() => []);
let newest = 0;
// What a visitor reads stays: that the visit has ended is said as its data goes.
onPersonalDataCleared(() => {
  for (const { owner, close } of popups.getState()) if (owner !== null && !isVisit(owner)) close();
});

/** Shows a popup after those of its kind that are already open; `closed` resolves when it is closed. */
function openPopup(kind: ShownPopup["kind"], popup: Popup, action?: ShownPopup["action"]) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const entry: ShownPopup = {
    ...popup,
    id: ++newest,
    action,
    kind,
    owner: currentOwner(),
    close: () => {
      popups.setState((shown) => shown.filter((other) => other !== entry), true);
      resolve();
    },
  };
  popups.setState((shown) => [...shown, entry], true);
  return { close: entry.close, closed };
}

/** Shows a success beside the page, which stays usable; it goes by itself. */
export function showSuccess(popup: Popup, link?: PopupLink): void {
  openPopup("success", popup, link);
}

/** The same with a button, for a caller that may close it. */
export function openSuccess(popup: Popup, action: PopupAction) {
  return openPopup("success", popup, action);
}

/** Shows an error over the page until it is dismissed. */
export function showError(popup: Popup): void {
  openPopup("error", popup);
}

/** In milliseconds: a title can be read at a glance, a text needs time, and a link or button needs time to be reached. */
const GLANCE_MS = 4000;
const START_MS = 2000;
const MS_PER_LETTER = 80;
const ACTION_MS = 4000;
/** How long a success stays while the next one waits; one that can be undone only now stays for GLANCE_MS. */
const HURRIED_MS = 1500;

/** How long a success is shown, in milliseconds. */
export function successMs(
  { title, text = "", action }: Pick<ShownPopup, "title" | "text" | "action">,
  isNextWaiting: boolean,
): number {
  if (isNextWaiting) return action && "act" in action ? GLANCE_MS : HURRIED_MS;
  const reading = START_MS + MS_PER_LETTER * (title.length + text.length);
  return (text ? Math.max(GLANCE_MS, reading) : GLANCE_MS) + (action ? ACTION_MS : 0);
}
