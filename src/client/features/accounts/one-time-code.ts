/** Digits of a one-time code. */
const CODE = /^\d{6}$/;
/** A code within a copied message, perhaps in two halves: "Your code is 123 456". */
const CODE_IN_TEXT = /(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/g;

export function isWholeCode(text: string): boolean {
  return CODE.test(text);
}

/** The code in a pasted text; any other text as it is, because the specification has no format check. */
export function readCode(text: string): string {
  const [code, second] = text.match(CODE_IN_TEXT) ?? [];
  return code && !second ? code.replace(/\D/g, "") : text;
}
