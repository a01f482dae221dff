import { onFirstUse } from "./on-first-use.ts";

const NAMELESS = "document";
const EXTENSION = ".pdf";
/** File systems take 255 bytes; the rest is left to what others put before or behind the name. */
const MAX_BYTES = 200;
/** Latin letters first, so that "Chapter 1.2" keeps its number. */
const OTHER_EXTENSION = /\.[a-z][a-z0-9]{0,5}$/i;
/** Nobody sees them, or they turn the direction of what stands beside them. */
const INVISIBLE = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\s\u200c\u200d]]/gv;
/** Joiners shape letters in Indian scripts, and emoji; anywhere else they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Emoji}])/gv;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
const DEVICE_ON_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

const encoder = new TextEncoder();
const characters = onFirstUse(() => new Intl.Segmenter());

/**
 * A PDF's name as people may see it and save it under on any system: the last part of the path that came, without what
 * is invisible, in NFC, never empty or over-long, and ending in `.pdf` whatever it claimed to be.
 */
export function cleanFileName(name: string | null): string {
  const lastPart = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  const visible = lastPart
    .toWellFormed()
    .replace(INVISIBLE, "")
    .normalize("NFC")
    .replace(STRAY_JOINER, "")
    .replace(FORBIDDEN_ON_WINDOWS, "-")
    .replace(/\s+/g, " ");
  const stem = withoutExtension(visible).replace(DEVICE_ON_WINDOWS, "_$1");
  return (shorten(stem) || NAMELESS) + EXTENSION;
}

/** Dots at the beginning would hide a file, and Windows drops those and spaces at the end. */
function withoutExtension(name: string): string {
  const whole = name.replace(/[\s.]+$/, "");
  const stem = whole.replace(OTHER_EXTENSION, "");
  // Of "thesis.pdf.hta" both go; of "notes.v2.pdf" only what it is.
  return /\.pdf$/i.test(stem) ? withoutExtension(stem) : stem.replace(/^[\s.]+|[\s.]+$/g, "");
}

/** Cuts between characters as people see them. */
function shorten(stem: string): string {
  if (encoder.encode(stem).length + EXTENSION.length <= MAX_BYTES) return stem;
  let bytes = EXTENSION.length;
  for (const { segment, index } of characters().segment(stem)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_BYTES) return stem.slice(0, index).replace(/[\s.]+$/, "");
  }
  return stem;
}
