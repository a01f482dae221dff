const MAX_CHARACTERS = 200;
const NAMELESS = "document.pdf";

/**
 * A file's name as people may see it and save it under: its last path part, without control characters and the
 * marks that turn the direction of text, in NFC, at most 200 characters long, never empty.
 */
export function cleanFileName(name: string | null): string {
  const lastPart = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  const visible = lastPart
    .toWellFormed()
    .replace(/[[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]--\s]/gv, "")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();
  const short = shorten(visible);
  return /^\.*$/.test(short) ? NAMELESS : short;
}

/** Cuts the name before its extension. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = [...(/\.\w{1,10}$/.exec(name)?.[0] ?? "")];
  return [...characters.slice(0, MAX_CHARACTERS - extension.length), ...extension].join("");
}
