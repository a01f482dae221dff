import Papa from "papaparse";
import type { OptionKind } from "#shared/options.ts";
import {
  COLUMN_LABELS,
  COLUMNS,
  type Column,
  readActive,
  readBasis,
  readPrice,
  readSides,
  writePrice,
} from "./price-cells.ts";
import type { DraftRow } from "./price-draft.ts";

export interface PastedRows {
  rows: Partial<DraftRow>[];
  /** Cells that say nothing that their column understands; they are left as they were. */
  faults: string[];
}

/** The columns of a list, in their order. */
export function columnsOf(kind: OptionKind): Column[] {
  return COLUMNS.filter((column) => column !== "sides" || kind === "printingSides");
}

/** Whether a pasted text is rows or columns of a spreadsheet, rather than the text of one cell. */
export function isTable(text: string): boolean {
  return /[\t\n]/.test(text.replace(/\r?\n$/, ""));
}

/** Reads rows that were copied from a spreadsheet, to be written from one column on. A row of headings is passed over. */
export function readPasted(text: string, kind: OptionKind, from: Column): PastedRows {
  const { data } = Papa.parse<string[]>(text, { delimiter: "\t", skipEmptyLines: "greedy" });
  const columns = columnsOf(kind).slice(columnsOf(kind).indexOf(from));
  const lines = data[0] && isHeading(data[0], columns) ? data.slice(1) : data;
  const faults: string[] = [];
  const rows = lines.map((cells, index) => {
    const row: Partial<DraftRow> = {};
    for (const [place, column] of columns.entries()) {
      const text = cells[place]?.trim() ?? "";
      if (text !== "" && !readCell(row, column, text)) {
        faults.push(`Row ${index + 1}: "${text}" does not fit under ${COLUMN_LABELS[column]}`);
      }
    }
    return row;
  });
  return { rows, faults };
}

function isHeading(cells: string[], columns: Column[]): boolean {
  return cells.every((cell, place) => {
    const column = columns[place];
    return column && cell.trim().toLowerCase() === COLUMN_LABELS[column].toLowerCase();
  });
}

/** Writes a cell into the row. A price that cannot be read is kept as it is, to be corrected in its place. */
function readCell(row: Partial<DraftRow>, column: Column, text: string): boolean {
  if (column === "name") row.name = text;
  if (column === "price") row.price = tidyPrice(text);
  if (column === "basis") row.basis = readBasis(text) ?? undefined;
  if (column === "sides") row.sides = readSides(text) ?? undefined;
  if (column === "active") row.active = readActive(text) ?? undefined;
  if (row[column] !== undefined) return true;
  delete row[column];
  return false;
}

/** A price as the column shows it; as it was typed where it is none. */
export function tidyPrice(text: string): string {
  const paise = readPrice(text);
  return paise === null ? text : writePrice(paise);
}
