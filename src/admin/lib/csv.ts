import Papa from "papaparse";

/** Cells that spreadsheets would read as formulas. */
const FORMULA = /^'*[=+\-@\t\r]/;
/** The apostrophe that escapes such a cell. */
const GUARD = /^'(?='*[=+\-@\t\r])/;

/** CSV for spreadsheets: with a byte order mark, and formulas escaped by an apostrophe. */
export function writeCsv(headings: readonly string[], rows: (string | number)[][]): string {
  const table = { fields: [...headings], data: rows };
  return `\uFEFF${Papa.unparse(table, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
}

/** Removes the apostrophe of `writeCsv`. */
export function withoutGuard(cell: string): string {
  return cell.replace(GUARD, "");
}
