/** The same values, each of which is asked for while the one before is still in use. */
export async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (let { value, done } = await next; !done; { value, done } = await next) {
      next = source.next();
      // It fails for whoever awaits it; until then nobody does.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
