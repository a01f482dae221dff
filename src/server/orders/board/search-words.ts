import type { Trx } from "#db/transaction.ts";
import { asciiDigits } from "#shared/digits.ts";
import { foldText } from "#shared/fold-text.ts";
import { updateOrder } from "../orders.queries.ts";
import { deleteWords, findNumbers, hasWords, insertWords } from "./search.queries.ts";

/** Digits of an Indian mobile number without the country code. */
const PHONE_DIGITS = 10;
/** Maximum words of a search; more do not narrow it any further. */
const MAX_TERMS = 8;
/** Maximum characters of a word and a text, so that they fit into PostgreSQL's indexes in any script. */
const MAX_WORD = 254;
const MAX_TEXT = 800;

/** The searchable data of a student. */
export interface KnownStudent {
  fullName: string;
  phone: string;
  email: string;
}

/**
 * The words under which a student's orders are found by prefix; a phone also by its last four digits, as people say it. A
 * word that is a prefix of another is left out, because every search that matches it matches the other too.
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

/** All words under which an order is found, those of its number first, each with a space before it. */
export function orderText(order: { number: string }, student: KnownStudent): string {
  const words = [...folded([order.number, order.number.slice(-4)]), ...studentWords(student)];
  return words
    .map((word) => ` ${word}`)
    .join("")
    .slice(0, MAX_TEXT);
}

/** The words of a search, all of which must match. A phone number may be typed in groups. */
export function searchTerms(typed: string): string[] {
  const phone = asPhone(typed);
  if (phone) return [phone];
  return folded(typed.split(/\s+/)).slice(0, MAX_TERMS);
}

function asPhone(typed: string): string | null {
  const text = asciiDigits(typed);
  const digits = text.replace(/\D/g, "");
  const isPhone = /^[\d\s()+-]+$/.test(text) && digits.length >= PHONE_DIGITS;
  return isPhone ? digits.slice(-PHONE_DIGITS) : null;
}

function folded(texts: string[]): string[] {
  return [...new Set(texts.map(foldWord))].filter((word) => word !== "");
}

/** Keeps letters and digits only, so that `K7M4-Q2XD` equals `k7m4q2xd`, an e-mail with dots one without, and ९ 9. */
function foldWord(text: string): string {
  return asciiDigits(foldText(text))
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "")
    .slice(0, MAX_WORD);
}

type Student = KnownStudent & { _id: string };

/** Stores the search words of a student unless they exist already. */
export async function indexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  if (!(await hasWords(trx, _id))) await insertWords(trx, _id, studentWords(known));
}

/** Replaces the search words of a student after a change of name, phone or e-mail. */
export async function reindexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  await deleteWords(trx, _id);
  await insertWords(trx, _id, studentWords(known));
  for (const order of await findNumbers(trx, _id))
    await updateOrder(trx, order, { search_text: orderText(order, known) });
}
