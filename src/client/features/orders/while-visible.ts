/**
 * Keeps up what `start` begins while the tab is in view: a browser keeps only six connections to a server open, and
 * six tabs that each hold one would leave none to work with. `start` answers what ends it, and so does this.
 */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;

  function look(): void {
    if (document.visibilityState === "visible") {
      stop ??= start();
    } else {
      stop?.();
      stop = undefined;
    }
  }

  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    stop?.();
  };
}
