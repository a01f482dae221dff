/** Control characters, and marks that turn the direction of reading, which could disguise a file's name. */
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;

/** The lines of a text as a person sees them, without unseen characters. */
export function visibleLines(text: string): string[] {
  return text.split(LINE_BREAK).map((line) => line.replace(UNSEEN, ""));
}

/** A text on one line, at most `max` characters long; safe as a mail header. */
export function oneLine(text: string, max = 200): string {
  const line = visibleLines(text).join(" ").replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line;
}
