import { Button } from "@mantine/core";
import { type ComponentType, lazy, useState } from "react";
import { FAILURE } from "#shared/messages.ts";
import { messageOf } from "#ui/errors.ts";
import { importOnline } from "../lib/connection.ts";
import { showError } from "./popup/popup-store.ts";

/**
 * A part of a page whose script comes later. Where it does not come, the rest of the page stays.
 * @param Missing in its place then: by default it says so
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props> = MissingPart,
) {
  return lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: Missing }),
    ),
  );
}

/** The browser remembers the failure until the page is reloaded. */
function MissingPart() {
  return (
    <div>
      <p role="alert">This part of the page could not be loaded.</p>
      <Button variant="default" mt="sm" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}

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
      } catch (error) {
        setState("closed");
        showError({ title: FAILURE.error, text: messageOf(error) });
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
