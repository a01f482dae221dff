import type { OptionKind } from "#shared/options.ts";
import type { PriceEntry } from "#shared/price-list.ts";
import { optionName } from "#shared/schemas/prices.ts";
import { type Column, readActive, readBasis, readInk, readPrice, readSides } from "./price-cells.ts";

export type RowCells = Partial<Record<Column, string>>;

/** An option in a file. Missing fields stay unchanged, or get the defaults of a new option. */
export type IncomingEntry = Pick<PriceEntry, "name" | "pricePaise"> &
  Partial<Pick<PriceEntry, "basis" | "sides" | "inColour" | "active">>;

export interface ReadRow {
  entry: IncomingEntry | null;
  /** Errors, cell by cell; empty if there is an entry. */
  issues: string[];
}

/** Parses a row of text as an option. Only name and price are required. */
export function readPriceRow(kind: OptionKind, cells: RowCells): ReadRow {
  const issues: string[] = [];
  const read = <T>(column: Column, reader: (text: string) => T | null, wanted: string): T | undefined => {
    const text = cells[column]?.trim() ?? "";
    if (text === "") return undefined;
    const value = reader(text);
    if (value === null) issues.push(`"${text}" is not ${wanted}`);
    return value ?? undefined;
  };

  const name = optionName.safeParse(cells.name ?? "");
  if (!name.success) issues.push(name.error.issues[0]?.message ?? "");
  const pricePaise = readPrice(cells.price ?? "");
  if (pricePaise === null) issues.push(priceIssue(cells.price ?? ""));
  const entry = {
    name: name.data ?? "",
    pricePaise: pricePaise ?? 0,
    basis: read("basis", readBasis, "page, sheet, copy or order"),
    sides: kind === "printingSides" ? read("sides", readSides, "1 or 2 sides") : 1,
    inColour: kind === "printedColours" ? read("inColour", readInk, "colour or black") : false,
    active: read("active", readActive, "yes or no"),
  };
  return issues.length > 0 ? { entry: null, issues } : { entry, issues };
}

function priceIssue(text: string): string {
  return text.trim() ? `"${text.trim()}" is not a price in rupees` : "The price is missing";
}
