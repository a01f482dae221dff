import { type Dispatch, useReducer } from "react";
import { parseRupees, writePrice } from "#admin/lib/rupees.ts";
import { foldText } from "#shared/fold-text.ts";
import {
  type Basis,
  MAX_OPTIONS,
  mapKinds,
  OPTION_FIELDS,
  OPTION_KINDS,
  type OptionKind,
} from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { optionName } from "#shared/schemas/prices.ts";

/** A row as typed. */
export interface DraftRow {
  /** Identifies the row on the screen. */
  key: string;
  /** The option's id; undefined for a new row until it is saved. */
  id?: string | undefined;
  name: string;
  /** Rupees as typed. */
  price: string;
  basis: Basis;
  sides: 1 | 2;
  inColour: boolean;
  active: boolean;
}

/** A price list that is being edited. Each list ends with a blank row for the next option. */
export type PriceDraft = Record<OptionKind, readonly DraftRow[]>;

export function toDraft(lists: PriceLists): PriceDraft {
  return mapKinds((kind) => withBlankRow(kind, lists[kind].map(toDraftRow)));
}

function toDraftRow({ id, name, pricePaise, basis, sides, inColour, active }: PriceEntry): DraftRow {
  return {
    key: newKey(),
    id,
    name,
    price: writePrice(pricePaise),
    basis,
    sides: sides === 2 ? 2 : 1,
    inColour,
    active,
  };
}

/** Converts a draft to a price list; invalid prices become 0. */
export function toLists(draft: PriceDraft): PriceLists {
  return mapKinds((kind) => draft[kind].filter((row) => !isBlank(row)).map(toEntry));
}

/** The same with `refOf` as ids, so that unsaved rows have ids too. */
export function toNamedLists(draft: PriceDraft): PriceLists {
  return mapKinds((kind) =>
    draft[kind].filter((row) => !isBlank(row)).map((row) => ({ ...toEntry(row), id: refOf(row) })),
  );
}

function toEntry({ id, name, price, basis, sides, inColour, active }: DraftRow): PriceEntry {
  return { id, name: name.trim(), pricePaise: parseRupees(price) ?? 0, basis, sides, inColour, active };
}

/** The id of a row: its option's id, or its key until it has one. */
function refOf({ id, key }: DraftRow): string {
  return id ?? key;
}

/** Replaces the draft's lists; entries refer to its rows by `refOf`, so that rows keep their keys. */
export function redraft(draft: PriceDraft, lists: PriceLists): PriceDraft {
  return mapKinds((kind) => {
    const rows = new Map(draft[kind].map((row) => [refOf(row), row]));
    const next = lists[kind].map((entry) => {
      const row = rows.get(entry.id ?? "");
      return { ...toDraftRow(entry), ...(row ? { key: row.key, id: row.id } : { id: undefined }) };
    });
    return withBlankRow(kind, next);
  });
}

/** Whether nothing was typed into a new row. */
export function isBlank({ id, name, price }: DraftRow): boolean {
  return id === undefined && name.trim() === "" && price.trim() === "";
}

/** The rows, with a blank row at the end. */
export function withBlankRow(kind: OptionKind, rows: readonly DraftRow[]): readonly DraftRow[] {
  const last = rows.at(-1);
  return last && isBlank(last) ? rows : [...rows, blankRow(kind)];
}

function blankRow(kind: OptionKind): DraftRow {
  return { key: newKey(), name: "", price: "", ...usualOption(kind) };
}

/** The defaults of a new option: covers and bindings are priced per copy. */
export function usualOption(kind: OptionKind): Pick<DraftRow, "basis" | "sides" | "inColour" | "active"> {
  const basis = kind === "coverOptions" || kind === "bindingOptions" ? "copy" : "page";
  return { basis, sides: 1, inColour: false, active: true };
}

let keys = 0;

function newKey(): string {
  keys += 1;
  return `row-${keys}`;
}

/** A validation error of a cell or a list. */
export interface PriceIssue {
  kind: OptionKind;
  /** The row's key; null for an error of the whole list. */
  row: string | null;
  column: "name" | "price" | null;
  message: string;
}

/** What keeps a draft from being saved. @param mustBeWhole each list needs an active option, because students see the shop */
export function findIssues(draft: PriceDraft, mustBeWhole: boolean): PriceIssue[] {
  return OPTION_KINDS.flatMap((kind) => {
    const rows = draft[kind].filter((row) => !isBlank(row));
    const issues = rows.flatMap((row) => rowIssues(kind, row, rows));
    const whole = listIssue(kind, rows, mustBeWhole);
    return whole ? [...issues, { kind, row: null, column: null, message: whole }] : issues;
  });
}

function rowIssues(kind: OptionKind, row: DraftRow, rows: readonly DraftRow[]): PriceIssue[] {
  const issues: PriceIssue[] = [];
  const name = nameIssue(row, rows);
  if (name) issues.push({ kind, row: row.key, column: "name", message: name });
  if (parseRupees(row.price) === null) {
    const message = row.price.trim() ? "Enter rupees, such as 12.50" : "Enter a price; 0 is free";
    issues.push({ kind, row: row.key, column: "price", message });
  }
  return issues;
}

function nameIssue(row: DraftRow, rows: readonly DraftRow[]): string | null {
  const parsed = optionName.safeParse(row.name);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? "";
  const first = rows.find(({ name }) => foldText(name) === foldText(parsed.data));
  return first === row ? null : `"${parsed.data}" is in this list twice`;
}

function listIssue(kind: OptionKind, rows: readonly DraftRow[], mustBeWhole: boolean): string | null {
  const { label } = OPTION_FIELDS[kind];
  if (rows.length > MAX_OPTIONS) return `${label} can have at most ${MAX_OPTIONS} options`;
  if (mustBeWhole && !rows.some(({ active }) => active))
    return `${label} needs at least one option that is on`;
  return null;
}

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
