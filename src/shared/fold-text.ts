/** Normalises text for searching: case, width and spaces. Stored next to searchable text. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

/** Accents and other marks on letters; vowel signs of Indian scripts are letters of their own and stay. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const INVISIBLE = /[\p{Cc}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;
/** Part of the spelling in Indian scripts. */
const JOINERS = /[\u200c\u200d]/g;
const NOT_IN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;
/** Latin and the scripts of India. Letters of other scripts, such as Cyrillic, can look like Latin ones. */
const SCRIPTS = [
  /^[a-z0-9]*$/,
  ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Arab", "Olck", "Mtei"].map(
    (script) => new RegExp(`^[\\p{scx=${script}}0-9]*$`, "u"),
  ),
];
/** Letters that look alike after lower-casing: i, l and 1; o and 0; rn and m; vv and w. */
const LOOK_ALIKES = [
  [/[i1]/g, "l"],
  [/0/g, "o"],
  [/rn/g, "m"],
  [/vv/g, "w"],
] as const;

/**
 * Whether people can distinguish names as well as `nameKey` does: only letters and digits, each word in one script, and
 * nothing invisible.
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

/** Equal for names that people would confuse: it ignores case, spaces, punctuation, accents and look-alike letters. */
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
