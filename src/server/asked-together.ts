import { endOfTurn } from "./turns.ts";

interface Question<Key, Found> {
  keys: Set<Key>;
  answers: Promise<ReadonlyMap<Key, Found>>;
}

/**
 * Gives a function that finds one thing by its key. Whatever is looked for in the same turn of the event loop is asked for
 * with one question, and only when the turn is over: so each finds all that was committed before it was looked for.
 */
export function askedTogether<Key, Found>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  let next: Question<Key, Found> | null = null;

  function newQuestion(): Question<Key, Found> {
    const keys = new Set<Key>();
    const answers = endOfTurn().then(() => {
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
