import type { Dice } from "./dice.ts";

const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Makes order numbers such as `K7M4-Q2XD`, none of them twice. */
export function createNumbers(dice: Dice): () => string {
  const made = new Set<string>();
  const group = () => Array.from({ length: 4 }, () => dice.pick([...ALPHABET])).join("");
  return () => {
    for (;;) {
      const number = `${group()}-${group()}`;
      if (made.has(number)) continue;
      made.add(number);
      return number;
    }
  };
}
