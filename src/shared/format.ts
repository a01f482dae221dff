/**
 * For example `12,00,000`. Like amounts and times it is not written by Intl, whose first use takes a slow phone a tenth of a
 * second: nearly every page shows some.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d\d)*\d{3}(?!\d))/g, ",");
}

/** For example `1 page` and `1,200 copies`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** All nouns used here form the plural with an s, except copy. */
export function pluralOf(noun: string): string {
  return noun === "copy" ? "copies" : `${noun}s`;
}

const UNITS = ["kB", "MB", "GB"];
const STEP = 1024;

/** Bytes in words: 1536 becomes "2 kB", 1500000 becomes "1.4 MB"; at least 1 kB. */
export function formatBytes(bytes: number): string {
  const kilobytes = Math.max(bytes / STEP, 1);
  const power = Math.min(Math.floor(Math.log(kilobytes) / Math.log(STEP)), UNITS.length - 1);
  const fraction = power > 0 ? 10 : 1;
  return `${formatCount(Math.round((kilobytes / STEP ** power) * fraction) / fraction)} ${UNITS[power]}`;
}

/** The parts of an address that say where, from the name to the country. */
type AddressParts = Record<"fullname" | "flatno" | "roadNo" | "country", string>;

/** An address in one line. */
export function addressLine({ fullname, flatno, roadNo, country }: AddressParts): string {
  return [fullname, flatno, roadNo, country].join(", ");
}

/** A link that writes to this address. One such as `a?bcc=b@c.dd` would otherwise add people of its own. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}
