import { useEffect } from "react";
import type { ShownPopup } from "./popup.store.ts";

/** The browser's own dialog, for when the store's cannot be loaded. */
export function PlainPopup({ popup }: { popup: ShownPopup }) {
  useEffect(() => {
    window.alert([popup.title, popup.text].filter(Boolean).join("\n"));
    popup.close();
  }, [popup]);
  return null;
}
