import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { currentPopup, type ShownPopup, subscribeToPopups } from "./popup.store.ts";

const loadDialog = () => import("./popup-dialog.tsx");

/** A popup often reports a lost connection; then its own code may fail to load as well. */
const PopupDialog = lazy<ComponentType<{ popup: ShownPopup }>>(() =>
  loadDialog().then(
    (module) => ({ default: module.PopupDialog }),
    () => ({ default: PlainPopup }),
  ),
);

/** Preloads the code of popups. */
export function preloadPopups(): void {
  loadDialog().catch(() => {});
}

/** Shows popups. Their code is loaded with the first one. */
export function PopupHost() {
  const popup = useSyncExternalStore(subscribeToPopups, currentPopup, () => null);
  return <Suspense>{popup && <PopupDialog key={popup.title} popup={popup} />}</Suspense>;
}

/** A native dialog, for when the popup's code cannot be loaded. */
function PlainPopup({ popup }: { popup: ShownPopup }) {
  useEffect(() => {
    window.alert([popup.title, popup.text].filter(Boolean).join("\n"));
    popup.close();
  }, [popup]);
  return null;
}
