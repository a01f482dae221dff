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

const UNITS = ["kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1024;

/** Bytes in words: 1536 becomes "2 kB", 1500000 becomes "1.4 MB"; at least 1 kB. */
export function formatBytes(bytes: number): string {
  const kilobytes = Math.max(bytes / STEP, 1);
  const power = Math.min(Math.floor(Math.log(kilobytes) / Math.log(STEP)), UNITS.length - 1);
  return new Intl.NumberFormat("en-IN", {
    style: "unit",
    unit: UNITS[power] ?? "kilobyte",
    unitDisplay: "short",
    maximumFractionDigits: power > 0 ? 1 : 0,
  }).format(kilobytes / STEP ** power);
}
