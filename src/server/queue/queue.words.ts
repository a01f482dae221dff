import { foldText } from "#shared/fold-text.ts";

/** Digits that people add to or leave out of an Indian mobile number. */
const PHONE_DIGITS = 10;
/** More words than this narrow nothing further down. */
const MAX_TERMS = 8;

export interface Findable {
  number: string;
  studentName: string;
  phone: string;
  email: string;
}

/**
 * The words that an order is found by: what is typed at the search matches their beginnings. A number and a phone
 * are also found by their last four characters, which is how people read them out.
 */
export function orderWords({ number, studentName, phone, email }: Findable): string[] {
  const mailbox = email.split("@")[0] ?? "";
  const texts = [
    ...[number, number.slice(-4), phone, phone.slice(-4), email],
    ...studentName.split(/\s+/),
    ...mailbox.split(/[^\p{L}\p{M}\p{N}]+/u),
  ];
  return [...new Set(texts.map(foldWord))].filter((word) => word !== "");
}

/** What was typed, as beginnings of words that must all be found. A phone number may be typed in groups. */
export function searchTerms(typed: string): string[] {
  const phone = asPhone(typed);
  if (phone) return [phone];
  return [...new Set(typed.split(/\s+/).map(foldWord))].filter((term) => term !== "").slice(0, MAX_TERMS);
}

function asPhone(typed: string): string | null {
  const digits = typed.replace(/\D/g, "");
  const isPhone = /^[\d\s()+-]+$/.test(typed) && digits.length >= PHONE_DIGITS;
  return isPhone ? digits.slice(-PHONE_DIGITS) : null;
}

/** Letters and digits only, so that `K7M4-Q2XD`, `k7m4q2xd` and an address with or without its dots are one. */
function foldWord(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}
