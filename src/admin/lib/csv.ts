import Papa from "papaparse";

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^'*[=+\-@\t\r]/;
/** The apostrophe that guards such a cell. */
const GUARD = /^'(?='*[=+\-@\t\r])/;

/**
 * A table as a spreadsheet opens it: CSV with a byte order mark, and an apostrophe before what would otherwise be taken
 * for a formula.
 */
export function writeCsv(headings: readonly string[], rows: (string | number)[][]): string {
  const table = { fields: [...headings], data: rows };
  return `\uFEFF${Papa.unparse(table, { escapeFormulae: FORMULA, newline: "\r\n" })}\r\n`;
}

/** A cell as it was before `writeCsv` guarded it. */
export function withoutGuard(cell: string): string {
  return cell.replace(GUARD, "");
}
