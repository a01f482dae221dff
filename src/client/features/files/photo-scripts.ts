import { importOnline, isOffline, untilReachable } from "../../lib/connection.ts";

/**
 * Like `importOnline` for a script that makes pages of photos, but waits for a connection; `onWait` is told that it does. Throws a
 * message for the student, and the signal's reason.
 */
export function importForPhotos<Module>(load: () => Promise<Module>) {
  const loadOnline = importOnline(load);
  return async (signal: AbortSignal, onWait: () => void = () => {}): Promise<Module> => {
    while (true) {
      try {
        return await loadOnline();
      } catch {
        if (!isOffline())
          throw new Error("Photos cannot be prepared now. Reload the page and add them again");
      }
      onWait();
      await untilReachable(signal);
      signal.throwIfAborted();
    }
  };
}
