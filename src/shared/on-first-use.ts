/** Made when it is asked for first, and kept: a format of Intl takes longer to make than to use a thousand times. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
