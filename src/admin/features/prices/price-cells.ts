import Papa from "papaparse";
import { parseRupees, writePrice } from "#admin/lib/rupees.ts";
import { pluralOf } from "#shared/format.ts";
import { BASES, type Basis, type OptionKind } from "#shared/options.ts";
import type { DraftRow } from "./price-draft.ts";

/** The columns, in order. */
const COLUMNS = ["name", "price", "basis", "sides", "inColour", "active"] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_LABELS: Record<Column, string> = {
  name: "Option",
  price: "Price",
  basis: "Per",
  sides: "Sides",
  inColour: "Ink",
  active: "On",
};

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

interface PastedRows {
  rows: Partial<DraftRow>[];
  /** Errors of cells that could not be parsed; these cells stay unchanged. */
  issues: string[];
}

/** The columns of a list. */
export function columnsOf(kind: OptionKind): Column[] {
  return COLUMNS.filter(
    (column) =>
      (column !== "sides" || kind === "printingSides") &&
      (column !== "inColour" || kind === "printedColours"),
  );
}

/** Whether a pasted text has several rows or columns. */
export function isTable(text: string): boolean {
  return /[\t\n]/.test(text.replace(/\r?\n$/, ""));
}

/** Parses rows copied from a spreadsheet, to be pasted from one column on. A heading row is skipped. */
export function readPasted(text: string, kind: OptionKind, from: Column): PastedRows {
  const { data } = Papa.parse<string[]>(text, { delimiter: "\t", skipEmptyLines: "greedy" });
  const columns = columnsOf(kind).slice(columnsOf(kind).indexOf(from));
  const lines = data[0] && isHeading(data[0], columns) ? data.slice(1) : data;
  const issues: string[] = [];
  const rows = lines.map((cells, index) => {
    const row: Partial<DraftRow> = {};
    for (const [place, column] of columns.entries()) {
      const text = cells[place]?.trim() ?? "";
      if (text !== "" && !readCell(row, column, text)) {
        issues.push(`Row ${index + 1}: "${text}" does not fit under ${COLUMN_LABELS[column]}`);
      }
    }
    return row;
  });
  return { rows, issues };
}

function isHeading(cells: string[], columns: Column[]): boolean {
  return cells.every((cell, place) => {
    const column = columns[place];
    return column && cell.trim().toLowerCase() === COLUMN_LABELS[column].toLowerCase();
  });
}

/** Writes a cell into the row. An invalid price is kept as typed, to be corrected there. */
function readCell(row: Partial<DraftRow>, column: Column, text: string): boolean {
  if (column === "name") row.name = text;
  if (column === "price") row.price = formatTypedPrice(text);
  if (column === "basis") row.basis = readBasis(text) ?? undefined;
  if (column === "sides") row.sides = readSides(text) ?? undefined;
  if (column === "inColour") row.inColour = readInk(text) ?? undefined;
  if (column === "active") row.active = readActive(text) ?? undefined;
  if (row[column] !== undefined) return true;
  delete row[column];
  return false;
}

/** A price formatted for the column; invalid text stays as typed. */
export function formatTypedPrice(text: string): string {
  const paise = parseRupees(text);
  return paise === null ? text : writePrice(paise);
}
