import { indianDay } from "./indian-time.ts";
import type { Paise } from "./money.ts";

/** States and union territories by the code that a GSTIN begins with. */
export const STATES: Record<string, string> = {
  "01": "Jammu and Kashmir",
  "02": "Himachal Pradesh",
  "03": "Punjab",
  "04": "Chandigarh",
  "05": "Uttarakhand",
  "06": "Haryana",
  "07": "Delhi",
  "08": "Rajasthan",
  "09": "Uttar Pradesh",
  "10": "Bihar",
  "11": "Sikkim",
  "12": "Arunachal Pradesh",
  "13": "Nagaland",
  "14": "Manipur",
  "15": "Mizoram",
  "16": "Tripura",
  "17": "Meghalaya",
  "18": "Assam",
  "19": "West Bengal",
  "20": "Jharkhand",
  "21": "Odisha",
  "22": "Chhattisgarh",
  "23": "Madhya Pradesh",
  "24": "Gujarat",
  "26": "Dadra and Nagar Haveli and Daman and Diu",
  "27": "Maharashtra",
  "29": "Karnataka",
  "30": "Goa",
  "31": "Lakshadweep",
  "32": "Kerala",
  "33": "Tamil Nadu",
  "34": "Puducherry",
  "35": "Andaman and Nicobar Islands",
  "36": "Telangana",
  "37": "Andhra Pradesh",
  "38": "Ladakh",
};

/** The rates that a shop can choose, in percent: CGST and SGST together, or IGST. */
export const GST_RATES = [5, 12, 18, 28, 40] as const;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const GSTIN = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;

/** Whether this is a GSTIN: a state, a PAN, and a check digit that fits the other fourteen characters. */
export function isGstin(text: string): boolean {
  return GSTIN.test(text) && text.slice(0, 2) in STATES && text[14] === checkDigit(text.slice(0, 14));
}

/** The check digit of the first fourteen characters: the Luhn algorithm with 36 digits. */
export function checkDigit(text: string): string {
  const sum = Array.from(text).reduce((total, character, index) => {
    const product = DIGITS.indexOf(character) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return DIGITS.charAt((36 - (sum % 36)) % 36);
}

/** The year in which the Indian financial year of this moment begins, which is in April. */
export function financialYear(moment: Date | string): number {
  const day = indianDay(moment);
  const year = Number(day.slice(0, 4));
  return day >= `${year}-04` ? year : year - 1;
}

/** `credit` and `debit` notes lower and raise what an invoice charged. */
export type InvoiceKind = "invoice" | "credit" | "debit";

export const INVOICE_NAMES: Record<InvoiceKind, string> = {
  invoice: "Tax invoice",
  credit: "Credit note",
  debit: "Debit note",
};

const MARKS: Record<InvoiceKind, string> = { invoice: "", credit: "C", debit: "D" };

/** Such as `PS/2627/41`, and `PS/2627/C2` for a credit note. The law allows sixteen characters. */
export function invoiceNumber(invoice: {
  series: string;
  kind: InvoiceKind;
  /** The year in which the financial year begins. */
  year: number;
  seq: number;
}): string {
  const { series, kind, year, seq } = invoice;
  const years = [year, year + 1].map((each) => String(each % 100).padStart(2, "0")).join("");
  return `${series}/${years}/${MARKS[kind]}${seq}`;
}

export interface TaxSplit {
  taxablePaise: Paise;
  cgstPaise: Paise;
  sgstPaise: Paise;
  igstPaise: Paise;
}

/**
 * Splits a total that includes GST; the parts add up to it exactly. Within a state the tax is CGST and SGST in equal halves,
 * across states it is IGST.
 */
export function splitTax(
  totalPaise: Paise,
  { ratePercent, isInState }: { ratePercent: number; isInState: boolean },
): TaxSplit {
  const tax = (percent: number) => Math.round((totalPaise * percent) / (100 + ratePercent));
  if (!isInState) {
    const igstPaise = tax(ratePercent);
    return { taxablePaise: totalPaise - igstPaise, cgstPaise: 0, sgstPaise: 0, igstPaise };
  }
  const half = tax(ratePercent / 2);
  return { taxablePaise: totalPaise - 2 * half, cgstPaise: half, sgstPaise: half, igstPaise: 0 };
}

/**
 * The state code of the place of supply: the state that the delivery address names; the shop's own if it names none or
 * several, and for whoever comes to the shop.
 */
export function placeOfSupply(shopState: string, address: string): string {
  const text = ` ${words(address)} `;
  const named = Object.entries(STATES).filter(([, name]) => text.includes(` ${words(name)} `));
  const [only] = named;
  return only && named.length === 1 ? only[0] : shopState;
}

function words(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("&", " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ");
}
