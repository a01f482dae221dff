import { CSV_START, csvLine } from "#shared/csv.ts";

/** The apostrophe that escapes such a cell. */
const GUARD = /^'(?='*[=+\-@\t\r])/;

/** CSV for spreadsheets: with a byte order mark, and formulas escaped by an apostrophe. */
export function writeCsv(headings: readonly string[], rows: (string | number)[][]): string {
  return CSV_START + [headings, ...rows].map(csvLine).join("");
}

/** Removes the apostrophe of `writeCsv`. */
export function withoutGuard(cell: string): string {
  return cell.replace(GUARD, "");
}
