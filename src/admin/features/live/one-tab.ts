/**
 * Runs `lead` in one tab of this browser at a time: a browser keeps only six connections to a server open, and six
 * tabs that each hold one would leave none to work with. When that tab goes, another takes over. `lead` answers what
 * ends it. Where there are no locks (over plain HTTP from another machine), every tab leads.
 */
export function inOneTab(name: string, lead: () => () => void): () => void {
  if (!navigator.locks) return lead();
  const leaving = new AbortController();
  const { signal } = leaving;
  navigator.locks.request(name, { signal }, () => leadUntil(signal, lead)).catch(ignoreLeaving);
  return () => leaving.abort();
}

function leadUntil(signal: AbortSignal, lead: () => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = lead();
    signal.addEventListener("abort", () => {
      stop();
      resolve();
    });
  });
}

function ignoreLeaving(error: unknown): void {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
}
