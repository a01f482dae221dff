import { onFirstUse } from "./on-first-use.ts";

/** An amount in whole paise, the only unit for calculations; 100 paise are one rupee. */
export type Paise = number;

const rupeeFormat = onFirstUse(
  () => new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR", minimumFractionDigits: 2 }),
);

/** Converts the rupees in JSON, with at most two decimals, to exact paise. */
export function toPaise(rupees: number): Paise {
  return Math.round(rupees * 100);
}

/** Converts paise to the rupees in JSON: 12345 becomes 123.45. */
export function toRupees(paise: Paise): number {
  return paise / 100;
}

/** Paise in words: 12345600 becomes "₹1,23,456.00". */
export function formatPaise(paise: Paise): string {
  return rupeeFormat().format(paise / 100);
}
