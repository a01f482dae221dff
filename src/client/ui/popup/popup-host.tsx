import { lazy, Suspense, useSyncExternalStore } from "react";
import { currentPopup, subscribeToPopups } from "./popup.store.ts";

const PopupDialog = lazy(() =>
  import("./popup-dialog.tsx").then((module) => ({ default: module.PopupDialog })),
);

/** Where popups appear. Their code comes with the first of them. */
export function PopupHost() {
  const popup = useSyncExternalStore(subscribeToPopups, currentPopup, () => null);
  return <Suspense>{popup && <PopupDialog key={popup.title} popup={popup} />}</Suspense>;
}
