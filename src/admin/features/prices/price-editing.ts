import { type Dispatch, useReducer } from "react";
import { mapKinds, type OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { type DraftRow, isBlank, type PriceDraft, toDraft, withBlankRow } from "./price-draft.ts";

/** How many steps can be undone. */
const MAX_PAST = 200;

/** A saved price list and the edits since. */
export interface PriceEditing {
  /** The saved lists that the draft is compared with, and their version for saving. */
  base: { version: number; lists: PriceLists };
  draft: PriceDraft;
  /** Earlier drafts for undo, newest last. */
  past: readonly PriceDraft[];
  /** The cell that is being edited: all typing in it is one undo step. */
  typing: string | null;
}

export type PriceAction =
  | PriceEdit
  | { type: "undo" }
  /** `sent` was saved; rows keep their keys, and what was edited since. */
  | { type: "saved"; base: PriceEditing["base"]; sent: PriceDraft }
  /** Continues with another base, and with the given draft or the base itself. */
  | { type: "rebase"; base: PriceEditing["base"]; draft?: PriceDraft };

/** @param first what was typed before any list was saved */
export function usePriceEditing(
  base: PriceEditing["base"],
  first: PriceDraft | null,
): [PriceEditing, Dispatch<PriceAction>] {
  return useReducer(editPrices, base, (saved) =>
    first
      ? { ...startEditing({ version: 0, lists: mapKinds(() => []) }), draft: first }
      : startEditing(saved),
  );
}

export function startEditing(base: PriceEditing["base"]): PriceEditing {
  return { base, draft: toDraft(base.lists), past: [], typing: null };
}

export function editPrices(editing: PriceEditing, action: PriceAction): PriceEditing {
  switch (action.type) {
    case "undo":
      return undo(editing);
    case "saved":
      return { base: action.base, draft: withIds(editing.draft, action), past: [], typing: null };
    case "rebase":
      return action.draft
        ? { base: action.base, draft: action.draft, past: [], typing: null }
        : startEditing(action.base);
    default:
      return step(editing, action);
  }
}

function step(editing: PriceEditing, edit: PriceEdit): PriceEditing {
  const draft = applyEdit(editing.draft, edit);
  const typing = edit.type === "cell" ? `${edit.row} ${Object.keys(edit.change)}` : null;
  const goesOn = typing !== null && typing === editing.typing;
  const past = goesOn ? editing.past : [...editing.past, editing.draft].slice(-MAX_PAST);
  return { ...editing, draft, past, typing };
}

function undo(editing: PriceEditing): PriceEditing {
  const draft = editing.past.at(-1);
  return draft ? { ...editing, draft, past: editing.past.slice(0, -1), typing: null } : editing;
}

/** The rows with the ids of the options that they were saved as. */
function withIds(
  draft: PriceDraft,
  { sent, base: { lists } }: { sent: PriceDraft; base: { lists: PriceLists } },
): PriceDraft {
  return mapKinds((kind) => {
    const keys = sent[kind].filter((row) => !isBlank(row)).map(({ key }) => key);
    const ids = new Map(keys.map((key, index) => [key, lists[kind][index]?.id]));
    const rows = draft[kind].filter((row) => !isBlank(row));
    return withBlankRow(
      kind,
      rows.map((row): DraftRow => ({ ...row, id: ids.get(row.key) ?? row.id })),
    );
  });
}

/** An edit of a price list. */
export type PriceEdit =
  | { type: "cell"; kind: OptionKind; row: string; change: Partial<DraftRow> }
  | { type: "paste"; kind: OptionKind; row: string; rows: Partial<DraftRow>[] }
  | { type: "remove"; kind: OptionKind; row: string }
  | { type: "move"; kind: OptionKind; from: number; to: number }
  | { type: "replace"; draft: PriceDraft };

function applyEdit(draft: PriceDraft, edit: PriceEdit): PriceDraft {
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
