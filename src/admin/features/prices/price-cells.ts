import { pluralOf } from "#shared/format.ts";
import { type Paise, toRupees } from "#shared/money.ts";
import { BASES, type Basis } from "#shared/options.ts";

/** The columns, in order. */
export const COLUMNS = ["name", "price", "basis", "sides", "inColour", "active"] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_LABELS: Record<Column, string> = {
  name: "Option",
  price: "Price",
  basis: "Per",
  sides: "Sides",
  inColour: "Ink",
  active: "On",
};

/** Paise as the price column shows them: 3550 is "35.50". */
export function writePrice(paise: Paise): string {
  return toRupees(paise).toFixed(2);
}

/** Parses a basis: "page", "per page", "a page" or "pages"; null for anything else. */
export function readBasis(text: string): Basis | null {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^(per|an?)\s+/, "");
  return BASES.find((basis) => word === basis || word === pluralOf(basis)) ?? null;
}

const ONE_SIDE = ["1", "one", "one side", "single", "single side", "single-sided"];
const BOTH_SIDES = ["2", "two", "two sides", "both", "both sides", "double", "double-sided"];

export function readSides(text: string): 1 | 2 | null {
  const word = text.trim().toLowerCase();
  if (ONE_SIDE.includes(word)) return 1;
  return BOTH_SIDES.includes(word) ? 2 : null;
}

const COLOUR = ["colour", "color", "in colour"];
const BLACK = ["black", "black and white", "black & white", "b/w", "bw", "grey", "gray"];

/** Whether it prints in colour. */
export function readInk(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (COLOUR.includes(word)) return true;
  return BLACK.includes(word) ? false : null;
}

export function writeInk(inColour: boolean): string {
  return inColour ? "colour" : "black";
}

const ON = ["yes", "y", "on", "true", "1"];
const OFF = ["no", "n", "off", "false", "0"];

export function readActive(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  if (ON.includes(word)) return true;
  return OFF.includes(word) ? false : null;
}
