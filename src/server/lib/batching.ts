import { setImmediate } from "node:timers/promises";

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

/**
 * Returns a function that finds one value by its key. `load` is called once for all keys that were asked for in the same
 * turn of the event loop, when that turn is over, so that each caller gets what was committed before it asked. Kept for
 * the row 'GET getuser with a session' of the bench, which has half as many requests a second without it.
 */
export function batchLoad<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; values: Promise<ReadonlyMap<Key, Value>> } | null = null;

  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const values = setImmediate().then(() => {
        next = null;
        return load([...keys]);
      });
      next = { keys, values };
    }
    next.keys.add(key);
    return (await next.values).get(key);
  };
}
