import { OFFICE_FORMATS } from "#shared/file-formats.ts";
import { onFirstUse } from "#shared/on-first-use.ts";

const NAMELESS = "document";
const EXTENSION = ".pdf";
/** File systems allow 255 bytes; the rest is for what others add to the name. */
const MAX_BYTES = 200;
/** Begins with a Latin letter, so that "Chapter 1.2" keeps its number. */
const OTHER_EXTENSION = /\.[a-z][a-z0-9]{0,5}$/i;
/** Characters that are invisible or change the direction of the text around them. */
const INVISIBLE = /[[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\s\u200c\u200d]]/gv;
/** Joiners shape letters of Indian scripts and emoji; elsewhere they only hide. */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Emoji}\ufe0f])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{M}\p{Emoji}])/gv;
const FORBIDDEN_ON_WINDOWS = /[<>:"|?*]/g;
const DEVICE_ON_WINDOWS = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

const encoder = new TextEncoder();
const characters = onFirstUse(() => new Intl.Segmenter());

/**
 * A PDF's name that is safe to show and to save on any system: the last part of the given path, without invisible
 * characters, in NFC, neither empty nor too long, and always ending in `.pdf`.
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

/** The same with the extension that an office file was sent with: it is not a PDF yet. */
export function cleanSentName(name: string | null): string {
  const sent = OFFICE_FORMATS.find((extension) => name?.toLowerCase().endsWith(`.${extension}`));
  const clean = cleanFileName(name);
  return sent ? `${clean.slice(0, -EXTENSION.length)}.${sent}` : clean;
}

/** Leading dots would hide a file, and Windows removes trailing dots and spaces. */
function withoutExtension(name: string): string {
  const whole = name.replace(/[\s.]+$/, "");
  const stem = whole.replace(OTHER_EXTENSION, "");
  // "thesis.pdf.hta" loses both endings, "notes.v2.pdf" only its last.
  return /\.pdf$/i.test(stem) ? withoutExtension(stem) : stem.replace(/^[\s.]+|[\s.]+$/g, "");
}

/** Cuts between grapheme clusters, which people see as characters. */
function shorten(stem: string): string {
  if (encoder.encode(stem).length + EXTENSION.length <= MAX_BYTES) return stem;
  let bytes = EXTENSION.length;
  for (const { segment, index } of characters().segment(stem)) {
    bytes += encoder.encode(segment).length;
    if (bytes > MAX_BYTES) return stem.slice(0, index).replace(/[\s.]+$/, "");
  }
  return stem;
}
