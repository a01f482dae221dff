import { onFirstUse } from "./on-first-use.ts";

/** An amount of money in whole paise; 100 paise are one rupee. The only unit that is computed with. */
export type Paise = number;

const rupeeFormat = onFirstUse(
  () => new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR", minimumFractionDigits: 2 }),
);

/** Rupees with at most two decimals, as they travel in JSON, to exact paise. */
export function toPaise(rupees: number): Paise {
  return Math.round(rupees * 100);
}

/** Paise to the rupees that travel in JSON: 12345 becomes 123.45. */
export function toRupees(paise: Paise): number {
  return paise / 100;
}

/** Paise as a person reads them: 12345600 becomes "₹1,23,456.00". */
export function formatPaise(paise: Paise): string {
  return rupeeFormat().format(paise / 100);
}
