import type { Trx } from "#db/transaction.ts";
import { foldText } from "#shared/fold-text.ts";
import { deleteNotesAbout } from "./detail.queries.ts";
import { deleteWords, findNumbers, hasWords, insertWords, setSearchText } from "./search.queries.ts";

/** Digits of an Indian mobile number without the country code. */
const PHONE_DIGITS = 10;
/** More words than this do not narrow the search any further. */
const MAX_TERMS = 8;
/** The longest word and text that fit into PostgreSQL's indexes, in any script. */
const MAX_WORD = 254;
const MAX_TEXT = 800;

/** What a student is known by. */
export interface KnownStudent {
  fullName: string;
  phone: string;
  email: string;
}

/**
 * The words that a student's orders are found by: what is typed at the search matches their beginnings. A phone is
 * also found by its last four digits, as people read it out. A word that is the beginning of another is left out, because
 * whatever finds it finds the other.
 */
export function studentWords({ fullName, phone, email }: KnownStudent): string[] {
  const mailbox = email.split("@")[0] ?? "";
  const words = folded([
    ...[phone, phone.slice(-4), email],
    ...fullName.split(/\s+/),
    ...mailbox.split(/[^\p{L}\p{M}\p{N}]+/u),
  ]);
  return words.filter((word) => !words.some((longer) => longer !== word && longer.startsWith(word)));
}

/** All words that an order is found by, those of its number first, with a space before each. */
export function orderText(order: { number: string }, student: KnownStudent): string {
  const words = [...folded([order.number, order.number.slice(-4)]), ...studentWords(student)];
  return words
    .map((word) => ` ${word}`)
    .join("")
    .slice(0, MAX_TEXT);
}

/** The words of a search, all of which must be found. A phone number may be typed in groups. */
export function searchTerms(typed: string): string[] {
  const phone = asPhone(typed);
  if (phone) return [phone];
  return folded(typed.split(/\s+/)).slice(0, MAX_TERMS);
}

function asPhone(typed: string): string | null {
  const digits = typed.replace(/\D/g, "");
  const isPhone = /^[\d\s()+-]+$/.test(typed) && digits.length >= PHONE_DIGITS;
  return isPhone ? digits.slice(-PHONE_DIGITS) : null;
}

function folded(texts: string[]): string[] {
  return [...new Set(texts.map(foldWord))].filter((word) => word !== "");
}

/** Letters and digits only, so that `K7M4-Q2XD`, `k7m4q2xd` and an address with or without its dots are one. */
function foldWord(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .slice(0, MAX_WORD);
}

type Student = KnownStudent & { _id: string };

/** Makes the orders of a student searchable, unless they are already. */
export async function indexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  if (!(await hasWords(trx, _id))) await insertWords(trx, _id, studentWords(known));
}

/** Makes the orders of a student searchable by their new name, phone or email. */
export async function reindexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  await deleteWords(trx, _id);
  await insertWords(trx, _id, studentWords(known));
  for (const order of await findNumbers(trx, _id))
    await setSearchText(trx, order.id, orderText(order, known));
}

/** Leaves the orders of a deleted account searchable by their numbers alone, and deletes what staff wrote about them. */
export async function deletePersonalSearchWords(trx: Trx, userId: string): Promise<void> {
  await reindexStudent(trx, { _id: userId, fullName: "", phone: "", email: "" });
  await deleteNotesAbout(trx, userId);
}
