import { type Dispatch, useReducer } from "react";
import type { PriceLists } from "#shared/price-list.ts";
import { type DraftRow, isBlank, mapKinds, type PriceDraft, toDraft, withBlankRow } from "./price-draft.ts";
import { applyEdit, type PriceEdit } from "./price-edits.ts";

/** How many steps can be taken back. */
const MAX_PAST = 200;

/** A price list as it was saved, and what became of it since. */
export interface PriceEditing {
  /** What the draft is compared with, and the version that a save of it names. */
  base: { version: number; lists: PriceLists };
  draft: PriceDraft;
  /** Earlier drafts, the newest last. */
  past: readonly PriceDraft[];
  /** The cell that is being typed in: all of that is one step back. */
  typing: string | null;
}

export type PriceAction =
  | PriceEdit
  | { type: "undo" }
  /** The draft was saved and is now this; rows keep their places on the screen. */
  | { type: "saved"; base: PriceEditing["base"] }
  /** Goes on with another base, and with the draft that is given or else with the base itself. */
  | { type: "rebase"; base: PriceEditing["base"]; draft?: PriceDraft };

export function usePriceEditing(base: PriceEditing["base"]): [PriceEditing, Dispatch<PriceAction>] {
  return useReducer(editPrices, base, startEditing);
}

export function startEditing(base: PriceEditing["base"]): PriceEditing {
  return { base, draft: toDraft(base.lists), past: [], typing: null };
}

export function editPrices(editing: PriceEditing, action: PriceAction): PriceEditing {
  switch (action.type) {
    case "undo":
      return undo(editing);
    case "saved":
      return { base: action.base, draft: withIds(editing.draft, action.base.lists), past: [], typing: null };
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

/** The rows that were saved, each with the id that its option has now. */
function withIds(draft: PriceDraft, lists: PriceLists): PriceDraft {
  return mapKinds((kind) => {
    const rows = draft[kind].filter((row) => !isBlank(row));
    const saved = rows.map((row, index): DraftRow => ({ ...row, id: lists[kind][index]?.id }));
    return withBlankRow(kind, saved);
  });
}
