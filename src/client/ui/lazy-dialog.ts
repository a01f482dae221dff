import { type ComponentType, useState } from "react";
import { FAILURE } from "#shared/messages.ts";
import { importOnline } from "../lib/connection.ts";
import { showError } from "./popup/popup-store.ts";

/** Makes a hook for a dialog whose script comes at the first press. Where it does not come, a popup says so. */
export function lazyDialog<Props>(load: () => Promise<ComponentType<Props>>) {
  const loadOnline = importOnline(load);
  return function useDialog() {
    const [Dialog, setDialog] = useState<ComponentType<Props> | null>(null);
    const [state, setState] = useState<"closed" | "loading" | "open">("closed");

    async function open() {
      setState("loading");
      try {
        const loaded = await loadOnline();
        setDialog(() => loaded);
        setState("open");
      } catch {
        setState("closed");
        showError({
          title: FAILURE.error,
          text: "This could not be loaded. Check your connection, reload the page and try again",
        });
      }
    }

    return {
      /** Null until it is loaded. */
      Dialog,
      isLoading: state === "loading",
      isOpen: state === "open",
      open: () => void open(),
      close: () => setState("closed"),
    };
  };
}
