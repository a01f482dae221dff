import type { OptionKind } from "#shared/options.ts";
import { type DraftRow, type PriceDraft, withBlankRow } from "./price-draft.ts";

/** An edit of a price list. */
export type PriceEdit =
  | { type: "cell"; kind: OptionKind; row: string; change: Partial<DraftRow> }
  | { type: "paste"; kind: OptionKind; row: string; rows: Partial<DraftRow>[] }
  | { type: "remove"; kind: OptionKind; row: string }
  | { type: "move"; kind: OptionKind; from: number; to: number }
  | { type: "replace"; draft: PriceDraft };

export function applyEdit(draft: PriceDraft, edit: PriceEdit): PriceDraft {
  if (edit.type === "replace") return edit.draft;
  const rows = editRows(draft[edit.kind], edit);
  return { ...draft, [edit.kind]: withBlankRow(edit.kind, rows) };
}

function editRows(
  rows: readonly DraftRow[],
  edit: Exclude<PriceEdit, { type: "replace" }>,
): readonly DraftRow[] {
  switch (edit.type) {
    case "cell":
      return rows.map((row) => (row.key === edit.row ? { ...row, ...edit.change } : row));
    case "paste":
      return paste(rows, edit.row, edit.rows);
    case "remove":
      return rows.filter((row) => row.key !== edit.row);
    case "move":
      return moved(rows, edit.from, edit.to);
  }
}

/** Overwrites rows from this one on, and appends the rest. */
function paste(rows: readonly DraftRow[], key: string, pasted: Partial<DraftRow>[]): DraftRow[] {
  const start = rows.findIndex((row) => row.key === key);
  const blank = rows.at(-1);
  if (start < 0 || !blank) return [...rows];
  const result = [...rows];
  for (const [index, change] of pasted.entries()) {
    const row = result[start + index] ?? { ...blank, key: `${blank.key}+${index}` };
    result[start + index] = { ...row, ...change };
  }
  return result;
}

/** The blank row stays last. */
function moved(rows: readonly DraftRow[], from: number, to: number): readonly DraftRow[] {
  const last = rows.length - 2;
  const target = Math.min(to, last);
  if (from === target || from < 0 || target < 0 || from > last) return rows;
  const result = [...rows];
  result.splice(target, 0, ...result.splice(from, 1));
  return result;
}
