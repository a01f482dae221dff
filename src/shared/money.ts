import { formatCount } from "./format.ts";

/** An amount in whole paise, the only unit for calculations; 100 paise are one rupee. */
export type Paise = number;

/** The most that an order can cost, and so that can be paid at once: a little more than two crores of rupees. */
export const MAX_PAISE: Paise = 2 ** 31 - 1;

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
  const amount = Math.abs(paise);
  const rest = String(amount % 100).padStart(2, "0");
  return `${paise < 0 ? "-" : ""}₹${formatCount(Math.floor(amount / 100))}.${rest}`;
}
