import type { Comparison, Fingerprint } from "./compare-tables.ts";

const WIDTHS = [24, 12, 20];

/** A line of the table that shows what was compared; without a comparison its heading. */
export function tableLine(comparison?: Comparison): string {
  if (!comparison) return columns("table", "rows", "SHA-256 of them");
  const { table, sqlite, postgres, isEqual } = comparison;
  if (isEqual) return `${columns(table, ...inShort(sqlite))}equal`;
  return `${columns(table, ...inShort(sqlite))}DIFFERENT: ${inShort(postgres).join(" rows, ")} in PostgreSQL`;
}

function columns(...cells: string[]): string {
  return cells.map((cell, index) => `${cell.padEnd(WIDTHS[index] ?? 0)}  `).join("");
}

function inShort({ rows, sha256 }: Fingerprint): [string, string] {
  return [String(rows), sha256.slice(0, 16)];
}
