/** Text as searching compares it: without case, width and needless spaces. Stored beside what can be searched for. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** Accents and other marks on letters. The vowel signs of Indian scripts are letters in their own right. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;
/** They join letters of Indian scripts, and are part of their spelling. */
const JOINERS = /[\u200c\u200d]/g;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
/** Latin, and the scripts that India writes in. Letters of others, such as Cyrillic, look the same as Latin ones. */
const SCRIPTS = [
  /^[a-z0-9]*$/,
  ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Arab", "Olck", "Mtei"].map(
    (script) => new RegExp(`^[\\p{scx=${script}}0-9]*$`, "u"),
  ),
];
/** What people take for the same, once case is gone: an i for an l or a 1, an o for a 0, rn for m, vv for w. */
const LOOK_ALIKES = [
  [/[i1]/g, "l"],
  [/0/g, "o"],
  [/rn/g, "m"],
  [/vv/g, "w"],
] as const;

/**
 * Whether people can tell a name from every other that `nameKey` tells it from: words of letters and digits, each word of
 * one script, and nothing that is not seen.
 */
export function isReadableName(text: string): boolean {
  const plain = withoutAccents(text.replace(JOINERS, ""));
  const words = plain.split(NOT_IN_WORDS).filter(Boolean);
  return (
    words.length > 0 &&
    !INVISIBLE.test(plain) &&
    words.every((word) => SCRIPTS.some((script) => script.test(word)))
  );
}

/** Equal for names that people read as the same: without case, spaces, punctuation, accents, and what looks alike. */
export function nameKey(text: string): string {
  const words = withoutAccents(text.replaceAll("&", " and "))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .split(NOT_IN_WORDS)
    .join("");
  return LOOK_ALIKES.reduce((key, [alike, letter]) => key.replace(alike, letter), words);
}

function withoutAccents(text: string): string {
  return text.normalize("NFKD").toLowerCase().normalize("NFKD").replace(ACCENTS, "");
}
