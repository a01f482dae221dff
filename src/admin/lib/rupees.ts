import { toPaise } from "#shared/money.ts";

/** Such as `157` and `157.50`, as it is typed. */
export function rupeesText(paise: number): string {
  return paise % 100 === 0 ? String(paise / 100) : (paise / 100).toFixed(2);
}

/** Paise of a typed amount such as `1,570.50`; null if it is none. */
export function parseRupees(text: string): number | null {
  const plain = text.replaceAll(/[,\s₹]/g, "");
  return /^\d{1,8}(\.\d{1,2})?$/.test(plain) ? toPaise(Number(plain)) : null;
}
