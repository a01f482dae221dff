/** What one check looked at, and what it found wrong. */
export interface Finding {
  check: string;
  looked: number;
  wrong: string[];
}

/** Looks at each item; a check answers what is wrong with it, and null where nothing is. */
export function examine<T>(check: string, items: Iterable<T>, fault: (item: T) => string | null): Finding {
  const all = [...items];
  return { check, looked: all.length, wrong: all.flatMap((item) => fault(item) ?? []) };
}
