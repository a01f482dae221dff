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
