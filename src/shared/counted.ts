import { onFirstUse } from "./on-first-use.ts";

const countFormat = onFirstUse(() => new Intl.NumberFormat("en-IN"));

/** For example `12,00,000`. */
export function formatCount(count: number): string {
  return countFormat().format(count);
}

/** For example `1 page` and `1,200 copies`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** All nouns used here form the plural with an s, except copy. */
export function pluralOf(noun: string): string {
  return noun === "copy" ? "copies" : `${noun}s`;
}
