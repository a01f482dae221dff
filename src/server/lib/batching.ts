/**
 * Gives a function that does `work` for many items at once: those that come while it is at work wait, and are done
 * together next. It settles as the work on its item did, and never works on two batches at the same time.
 */
export function batched<Item>(work: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; done: Promise<void> } | null = null;
  let atWork: Promise<unknown> = Promise.resolve();

  return (item) => {
    if (next) {
      next.items.push(item);
      return next.done;
    }
    const items = [item];
    const done = atWork.then(() => {
      next = null;
      return work(items);
    });
    next = { items, done };
    atWork = done.catch(() => {});
    return done;
  };
}
