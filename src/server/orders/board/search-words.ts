import type { Trx } from "#db/transaction.ts";
import { foldText } from "#shared/fold-text.ts";
import { deleteNotesAbout } from "./detail.queries.ts";
import { deleteWords, findNumbers, hasWords, insertWords, setSearchText } from "./search.queries.ts";

/** Digits that people add to or leave out of an Indian mobile number. */
const PHONE_DIGITS = 10;
/** More words than this narrow nothing further down. */
const MAX_TERMS = 8;
/** What is longer does not fit into the indexes of PostgreSQL, in whatever script it is written. No usual name comes near. */
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
 * also found by its last four digits, which is how people read it out. A word that another one begins with is left out:
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

/** What was typed, as beginnings of words that must all be found. A phone number may be typed in groups. */
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

/** Has staff find the orders of a student who may never have ordered before. */
export async function indexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  if (!(await hasWords(trx, _id))) await insertWords(trx, _id, studentWords(known));
}

/** Has staff find the orders of this user by what they are known by now. */
export async function reindexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  await deleteWords(trx, _id);
  await insertWords(trx, _id, studentWords(known));
  for (const order of await findNumbers(trx, _id))
    await setSearchText(trx, order.id, orderText(order, known));
}

/**
 * Has staff find the orders of this user by their numbers alone, and forgets what staff wrote about them. To be called
 * when the orders themselves name nobody any more.
 */
export async function forgetStudent(trx: Trx, userId: string): Promise<void> {
  await reindexStudent(trx, { _id: userId, fullName: "", phone: "", email: "" });
  await deleteNotesAbout(trx, userId);
}
