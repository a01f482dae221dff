import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { useStore } from "zustand";
import { popups, type ShownPopup } from "./popup-store.ts";

const loadError = () => import("./error-popup.tsx");
const loadSuccess = () => import("./success-popup.tsx");

/** A popup often reports a lost connection; then its own code may fail to load as well. */
const ErrorPopup = lazy<ComponentType<{ popup: ShownPopup }>>(() =>
  loadError().then(
    (module) => ({ default: module.ErrorPopup }),
    () => ({ default: PlainPopup }),
  ),
);
const SuccessPopup = lazy<ComponentType<{ popup: ShownPopup; isNextWaiting: boolean }>>(() =>
  loadSuccess().then(
    (module) => ({ default: module.SuccessPopup }),
    () => ({ default: PlainPopup }),
  ),
);

/** Preloads the code of popups. */
export function preloadPopups(): void {
  loadError().catch(() => {});
  loadSuccess().catch(() => {});
}

/** How long the code of an error's popup may take: after a lost answer it may neither come nor fail. */
const PATIENCE_MS = 8000;

/** Shows the oldest error and the oldest success. Their code is loaded with the first one. */
export function PopupHost() {
  const shown = useStore(popups);
  const error = shown.find(({ kind }) => kind === "error");
  const [success, next] = shown.filter(({ kind }) => kind === "success");
  return (
    <>
      <Suspense fallback={error && <PlainPopup key={error.id} popup={error} afterMs={PATIENCE_MS} />}>
        {error && <ErrorPopup key={error.id} popup={error} />}
      </Suspense>
      {/* The region exists before its first popup, so that screen readers announce it. */}
      <div aria-live="polite">
        <Suspense>
          {success && <SuccessPopup key={success.id} popup={success} isNextWaiting={next !== undefined} />}
        </Suspense>
      </div>
    </>
  );
}

/** The browser's own dialog, for when the popup's code cannot be loaded or does not come. */
function PlainPopup({ popup, afterMs = 0 }: { popup: ShownPopup; afterMs?: number }) {
  useEffect(() => {
    const show = () => {
      const said = [popup.title, popup.text].filter(Boolean).join("\n");
      const { action } = popup;
      if (!action || !("act" in action)) window.alert(said);
      else if (window.confirm(`${said}\n${action.label}?`)) action.act();
      popup.close();
    };
    const timer = setTimeout(show, afterMs);
    return () => clearTimeout(timer);
  }, [popup, afterMs]);
  return null;
}
