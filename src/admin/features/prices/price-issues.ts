import { parseRupees } from "#admin/lib/rupees.ts";
import { foldText } from "#shared/fold-text.ts";
import { MAX_OPTIONS, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { optionName } from "#shared/schemas/prices.ts";
import { type DraftRow, isBlank, mapKinds, type PriceDraft, refOf } from "./price-draft.ts";

/** A validation error of a cell or a list. */
export interface PriceIssue {
  kind: OptionKind;
  /** The row's key; null for an error of the whole list. */
  row: string | null;
  column: "name" | "price" | null;
  message: string;
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

/** @param mustBeWhole each list needs an active option, because students see the shop */
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
