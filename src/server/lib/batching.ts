import { nextTickBarrier } from "./scheduling.ts";

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

interface Question<Key, Found> {
  keys: Set<Key>;
  answers: Promise<ReadonlyMap<Key, Found>>;
}

/**
 * Gives a function that finds one thing by its key. Whatever is looked for in the same turn of the event loop is asked for
 * with one question, and only when the turn is over: so each finds all that was committed before it was looked for.
 */
export function batchLoad<Key, Found>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  let next: Question<Key, Found> | null = null;

  function newQuestion(): Question<Key, Found> {
    const keys = new Set<Key>();
    const answers = nextTickBarrier().then(() => {
      next = null;
      return ask([...keys]);
    });
    return { keys, answers };
  }

  return async (key) => {
    next ??= newQuestion();
    next.keys.add(key);
    return (await next.answers).get(key);
  };
}
