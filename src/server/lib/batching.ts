/**
 * Returns a function that adds an item to the next batch and settles as `work` on that batch does. Only one batch runs at a
 * time; items that arrive meanwhile form the next one.
 */
export function batched<Item>(work: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let next: { items: Item[]; done: Promise<void> } | null = null;
  let running: Promise<unknown> = Promise.resolve();

  return (item) => {
    if (next) {
      next.items.push(item);
      return next.done;
    }
    const items = [item];
    const done = running.then(() => {
      next = null;
      return work(items);
    });
    next = { items, done };
    running = done.catch(() => {});
    return done;
  };
}
