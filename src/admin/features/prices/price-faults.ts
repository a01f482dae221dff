import { MAX_OPTIONS, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { optionName } from "#shared/schemas/prices.ts";
import { readPrice } from "./price-cells.ts";
import { type DraftRow, isBlank, mapKinds, type PriceDraft, refOf } from "./price-draft.ts";

/** Why a draft cannot be saved: a cell, or a whole list. */
export interface PriceFault {
  kind: OptionKind;
  /** The row's key; null where the list as a whole is at fault. */
  row: string | null;
  column: "name" | "price" | null;
  message: string;
}

/** The price list that a draft stands for; a price that cannot be read counts as nothing. */
export function toLists(draft: PriceDraft): PriceLists {
  return mapKinds((kind) => draft[kind].filter((row) => !isBlank(row)).map(toEntry));
}

/** The same with each row's `refOf` as its id, so that rows which were not saved yet can be told apart too. */
export function toNamedLists(draft: PriceDraft): PriceLists {
  return mapKinds((kind) =>
    draft[kind].filter((row) => !isBlank(row)).map((row) => ({ ...toEntry(row), id: refOf(row) })),
  );
}

function toEntry({ id, name, price, basis, sides, active }: DraftRow): PriceEntry {
  return { id, name: name.trim(), pricePaise: readPrice(price) ?? 0, basis, sides, active };
}

/** @param mustBeWhole whether each list needs an option that is on, because students see the shop */
export function findFaults(draft: PriceDraft, mustBeWhole: boolean): PriceFault[] {
  return OPTION_KINDS.flatMap((kind) => {
    const rows = draft[kind].filter((row) => !isBlank(row));
    const faults = rows.flatMap((row) => rowFaults(kind, row, rows));
    const whole = listFault(kind, rows, mustBeWhole);
    return whole ? [...faults, { kind, row: null, column: null, message: whole }] : faults;
  });
}

function rowFaults(kind: OptionKind, row: DraftRow, rows: readonly DraftRow[]): PriceFault[] {
  const faults: PriceFault[] = [];
  const name = nameFault(row, rows);
  if (name) faults.push({ kind, row: row.key, column: "name", message: name });
  if (readPrice(row.price) === null) {
    const message = row.price.trim() ? "Enter rupees, such as 12.50" : "Enter a price; 0 is free";
    faults.push({ kind, row: row.key, column: "price", message });
  }
  return faults;
}

function nameFault(row: DraftRow, rows: readonly DraftRow[]): string | null {
  const parsed = optionName.safeParse(row.name);
  if (!parsed.success) return parsed.error.issues[0]?.message ?? "";
  const first = rows.find(({ name }) => name.trim() === parsed.data);
  return first === row ? null : `"${parsed.data}" is in this list twice`;
}

function listFault(kind: OptionKind, rows: readonly DraftRow[], mustBeWhole: boolean): string | null {
  const { label } = OPTION_FIELDS[kind];
  if (rows.length > MAX_OPTIONS) return `${label} can have at most ${MAX_OPTIONS} options`;
  if (mustBeWhole && !rows.some(({ active }) => active))
    return `${label} needs at least one option that is on`;
  return null;
}
