const listeners = new Set<() => void>();

/** Calls the listener whenever an upload finds that the session has ended. @returns unsubscribe */
export function onLoginNeeded(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function notifyLoginNeeded(): void {
  for (const listener of listeners) listener();
}
