import { onFirstUse } from "./on-first-use.ts";

const countFormat = onFirstUse(() => new Intl.NumberFormat("en-IN"));

/** Such as `12,00,000`. */
export function formatCount(count: number): string {
  return countFormat().format(count);
}

/** Such as `1 page` and `1,200 copies`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** Of what is counted here only copies take more than an s. */
export function pluralOf(noun: string): string {
  return noun === "copy" ? "copies" : `${noun}s`;
}
