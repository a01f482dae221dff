/** Creates a value on first use and keeps it: creating an Intl format takes longer than a thousand uses. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
