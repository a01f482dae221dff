import { type Basis, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { writePrice } from "./price-cells.ts";

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

/** The id of a row: its option's id, or its key until it has one. */
export function refOf({ id, key }: DraftRow): string {
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

export function mapKinds<T>(make: (kind: OptionKind) => T): Record<OptionKind, T> {
  return Object.fromEntries(OPTION_KINDS.map((kind) => [kind, make(kind)])) as Record<OptionKind, T>;
}

let keys = 0;

function newKey(): string {
  keys += 1;
  return `row-${keys}`;
}
