import { asciiDigits } from "#shared/digits.ts";
import { type Paise, toRupees } from "#shared/money.ts";
import { rupeesField } from "#shared/schemas/fields.ts";

/** Such as `157` and `157.50`, as it is typed. */
export function rupeesText(paise: number): string {
  return paise % 100 === 0 ? String(paise / 100) : (paise / 100).toFixed(2);
}

/** Such as `35.50`, as price lists and tables have it. */
export function writePrice(paise: Paise): string {
  return toRupees(paise).toFixed(2);
}

/** Commas that group digits in the Indian or Western way. "12,50" is rejected, as it might mean 12.50. */
const GROUPED = /^\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?$/;

/** The same where more may have gone out than came in: a minus comes first. */
export function parseSignedRupees(text: string): Paise | null {
  const unsigned = text.replace(/^\s*[-−]/, "");
  const paise = parseRupees(unsigned);
  return paise !== null && unsigned !== text ? 0 - paise : paise;
}

/** Rupees as people write them ("₹1,250.50", "35/-") in plain digits. */
export function plainRupees(text: string): string {
  const digits = asciiDigits(text)
    .replace(/^\s*(₹|rs\.?|inr)/i, "")
    .replace(/\/-\s*$/, "")
    .trim();
  return GROUPED.test(digits) ? digits.replaceAll(",", "") : digits;
}

/** Parses such rupees into paise; null for anything else. */
export function parseRupees(text: string): Paise | null {
  const parsed = rupeesField.safeParse(plainRupees(text));
  return parsed.success ? parsed.data : null;
}
