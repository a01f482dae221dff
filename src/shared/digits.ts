const VALUES = new Map<string, string>();

/** The text with 0 to 9 for the digits of all scripts: keyboards of Indian languages type their own, such as ९ for 9. */
export function asciiDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => VALUES.get(digit) ?? digitOf(digit));
}

/** In Unicode the digits of a script follow each other from zero on, and those of some scripts follow those of another. */
function digitOf(digit: string): string {
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value += 1;
  const ascii = String(value % 10);
  VALUES.set(digit, ascii);
  return ascii;
}
