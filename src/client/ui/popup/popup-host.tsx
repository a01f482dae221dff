import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { currentPopup, type ShownPopup, subscribeToPopups } from "./popup.store.ts";

const loadDialog = () => import("./popup-dialog.tsx");

/** A popup often tells that the network is gone: then its own code may be out of reach as well. */
const PopupDialog = lazy<ComponentType<{ popup: ShownPopup }>>(() =>
  loadDialog().then(
    (module) => ({ default: module.PopupDialog }),
    () => ({ default: PlainPopup }),
  ),
);

/** Fetches the code of popups ahead of the first one. */
export function preloadPopups(): void {
  loadDialog().catch(() => {});
}

/** Where popups appear. Their code comes with the first of them. */
export function PopupHost() {
  const popup = useSyncExternalStore(subscribeToPopups, currentPopup, () => null);
  return <Suspense>{popup && <PopupDialog key={popup.title} popup={popup} />}</Suspense>;
}

/** The browser's own dialog, for when the store's cannot be loaded. */
function PlainPopup({ popup }: { popup: ShownPopup }) {
  useEffect(() => {
    window.alert([popup.title, popup.text].filter(Boolean).join("\n"));
    popup.close();
  }, [popup]);
  return null;
}
