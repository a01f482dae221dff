import { CSV_START, csvLine } from "#shared/csv.ts";

/** For a file that `readTextFile` throws for. */
export const UNREADABLE = "The file could not be read. Close it in other programs and choose it again";

/** Reads a text file as spreadsheets write it: UTF-16 with its mark ("Unicode text"), UTF-8, or else Windows-1252. */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Downloads the text as a file. */
export function saveTextFile(name: string, type: "text/csv" | "application/json", text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

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
