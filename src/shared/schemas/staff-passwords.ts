import { passwordField } from "./fields.ts";

/** Minimum length of staff passwords; students' may be shorter, as the contract says. */
export const STAFF_PASSWORD_CHARACTERS = 12;
export const STAFF_PASSWORD_HINT = `At least ${STAFF_PASSWORD_CHARACTERS} characters. A few words in a row are good`;

const TOO_SHORT = `Staff passwords must be at least ${STAFF_PASSWORD_CHARACTERS} characters long`;
const TOO_PLAIN = "This password is easy to guess. Please do not repeat the same few characters";
const OWN_WORDS =
  "This password is easy to guess. Please choose one that is not made of your name, your email or the store's name";

const FEWEST_DIFFERENT = 5;
/** The characters that must remain of a password without words that everybody knows about its owner. */
const FEWEST_LEFT = 6;
const STORE_WORDS = ["print", "store", "shop"];

interface Owner {
  fullName?: string;
  email?: string;
}

/** Why a password is too weak for staff, in words for people; null if it is not. */
export function staffPasswordFault(
  password: string,
  { fullName = "", email = "" }: Owner = {},
): string | null {
  const characters = [...password];
  if (characters.length < STAFF_PASSWORD_CHARACTERS) return TOO_SHORT;
  if (new Set(characters).size < FEWEST_DIFFERENT) return TOO_PLAIN;
  const words = [...wordsOf(fullName), ...wordsOf(email), ...STORE_WORDS].filter((word) => word.length >= 3);
  const left = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, " "), password.toLowerCase());
  return left.replaceAll(/[^\p{L}\p{N}]/gu, "").length < FEWEST_LEFT && left !== password.toLowerCase()
    ? OWN_WORDS
    : null;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
}

/** A new staff password. Only the server can check it against its owner and the list of common passwords. */
export const staffPasswordField = passwordField.superRefine((password, ctx) => {
  const message = staffPasswordFault(password);
  if (message) ctx.addIssue({ code: "custom", message });
});
