import type { Popup } from "#shared/messages.ts";

/** A link in a popup. */
export interface PopupLink {
  to: string;
  label: string;
}

export interface ShownPopup extends Popup {
  link?: PopupLink | undefined;
  kind: "success" | "error";
  close: () => void;
}

let shown: readonly ShownPopup[] = [];
const listeners = new Set<() => void>();

/** Shows a popup after those that are already open; resolves when it is closed. */
function showPopup(kind: ShownPopup["kind"], popup: Popup, link?: PopupLink): Promise<void> {
  return new Promise((resolve) => {
    const entry: ShownPopup = {
      ...popup,
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

export function showSuccess(popup: Popup, link?: PopupLink): Promise<void> {
  return showPopup("success", popup, link);
}

export function showError(popup: Popup): Promise<void> {
  return showPopup("error", popup);
}

export function subscribeToPopups(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The popup to show now; null when there is none. */
export function currentPopup(): ShownPopup | null {
  return shown[0] ?? null;
}

function change(next: readonly ShownPopup[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
