import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";

/** What Chromium sends once the store can be installed as an app. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

const offer = createStore<{ event: InstallEvent | null }>(() => ({ event: null }));

/** Keeps the browser's offer to install the store for whoever looks for it, instead of a banner over the page. */
export function keepInstallOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer.setState({ event: event as InstallEvent });
  });
  window.addEventListener("appinstalled", () => offer.setState({ event: null }));
}

/** Asks the browser to install the store; null where it cannot be installed, or is already. */
export function useInstall(): (() => void) | null {
  const { event } = useStore(offer);
  if (!event) return null;
  return () => {
    // An offer can be used once.
    offer.setState({ event: null });
    void event.prompt();
  };
}
