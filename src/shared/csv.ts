/** Marks a CSV file as UTF-8 for spreadsheets. */
export const CSV_START = "\uFEFF";

/** Cells that spreadsheets would read as formulas. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** One line of CSV. Text that a spreadsheet would read as a formula is escaped by an apostrophe; numbers stay numbers. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | number): string {
  if (typeof cell === "number") return String(cell);
  const isFormula = FORMULA.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return isFormula || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
