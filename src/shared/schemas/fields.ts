import { z } from "zod";
import { asciiDigits } from "../digits.ts";
import { VALIDATION } from "../messages.ts";
import { type Paise, toPaise } from "../money.ts";

// The CSP of the pages forbids `eval`, which zod would use to be faster.
z.config({ jitless: typeof document !== "undefined" });

const EMAIL_PATTERN = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]{2,}$/;
/** The most that a price list can ask for an option. */
const MAX_PRICE: Paise = toPaise(10_000_000);

/** Control characters, and marks that reverse whatever stands beside a text on a screen; not those that Indian scripts and Urdu need. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
/** Nobody could read out such a name. */
const BLANK = /^[\s\p{Cf}]*$/u;

/** Text without control characters and surrounding spaces, of at most `max` characters; empty where nothing of it can be seen. */
export function cleanText(max: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be text") })
    .transform((text) => text.replace(UNSEEN, "").replace(BLANK, "").trim())
    .pipe(z.string().max(max, `must be at most ${max} characters long`));
}

export function requiredText(label: string, max = 200) {
  return cleanText(max).pipe(z.string().min(1, `${label} is required`));
}

export function optionalText(max: number) {
  return cleanText(max)
    .nullish()
    .transform((text) => text ?? "");
}

export const emailField = z
  .string(VALIDATION.email)
  .trim()
  .toLowerCase()
  .max(254, VALIDATION.email)
  .regex(EMAIL_PATTERN, VALIDATION.email)
  .refine((email) => !/\p{C}/u.test(email), VALIDATION.email);

/** The contract's ten characters, which must be digits, of any script. Spaces, dashes and the prefix of a copied number are taken off. */
export const phoneField = z
  .string(VALIDATION.phone)
  .overwrite((phone) =>
    asciiDigits(phone)
      .replace(/[\s()\p{Pd}\p{Cf}]/gu, "")
      .replace(/^(\+?91|0)(?=\d{10}$)/, ""),
  )
  .regex(/^\d{10}$/, VALIDATION.phone);

/** A new or entered password; spaces are kept and only its length is limited. */
export const passwordField = z
  .string("Password is required")
  .min(1, "Password is required")
  .max(256, "Password must be at most 256 characters long");

/** Whether a new password is confirmed; for `refine`, with PASSWORDS_DIFFER. */
export function hasOnePassword(input: { password: string; confirmpassword: string }): boolean {
  return input.password === input.confirmpassword;
}

export const PASSWORDS_DIFFER = { path: ["confirmpassword"], message: VALIDATION.passwordsDiffer };

/** An id; `message` says what it must be. */
export function idOf(message: string) {
  return z.string(message).regex(/^[\w-]{1,64}$/, message);
}

export const idField = idOf("must be an id");

/** A whole number from 1 to `max`, given as a number or as digits. */
export function countField(label: string, max: number) {
  const message = `${label} must be a whole number from 1 to ${max}`;
  return z
    .union(
      [
        z.number(message),
        z
          .string()
          .overwrite(asciiDigits)
          .regex(/^\d{1,9}$/, message)
          .transform(Number),
      ],
      message,
    )
    .pipe(z.number().int(message).min(1, message).max(max, message));
}

const NO_RUPEES = "must be an amount in rupees, such as 12.50";

/** Rupees with at most two decimals, given as a number or as text such as "123.00"; parsed to paise. */
export const orderAmountField = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .overwrite(asciiDigits)
        .regex(/^\d{1,9}(\.\d{1,2})?$/)
        .transform(Number),
    ],
    NO_RUPEES,
  )
  .refine((rupees) => rupees >= 0, NO_RUPEES)
  .refine((rupees) => Math.abs(rupees * 100 - toPaise(rupees)) < 1e-6, "must have at most two decimals")
  .transform(toPaise);

/** The same for a price on a list. Of an order the server says in words what is too much. */
export const rupeesField = orderAmountField.refine((paise) => paise <= MAX_PRICE, NO_RUPEES);

/** An amount in whole paise. */
export const paiseField = z
  .int("must be an amount in paise")
  .min(0, "must be an amount in paise")
  .max(MAX_PRICE, "must be an amount in paise");

/** Adds an issue for each entry whose `key` was already used. */
export function rejectDuplicates<K extends string>(
  entries: readonly Partial<Record<K, string>>[],
  key: K,
  ctx: z.RefinementCtx,
  /** What two equal entries have in common, such as a name without its case. */
  keyOf: (value: string) => string = (value) => value,
): void {
  const seen = new Set<string>();
  for (const [index, { [key]: value }] of entries.entries()) {
    if (value === undefined) continue;
    if (seen.has(keyOf(value))) {
      ctx.addIssue({ code: "custom", path: [index, key], message: `"${value}" is here twice` });
    }
    seen.add(keyOf(value));
  }
}
