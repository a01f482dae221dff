import Papa from "papaparse";
import { withoutGuard, writeCsv } from "#admin/lib/csv.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { writeInk, writePrice } from "./price-cells.ts";
import type { IncomingLists } from "./price-merge.ts";
import { type IncomingEntry, type RowCells, readPriceRow } from "./price-rows.ts";

const HEADINGS = ["List", "Option", "Price", "Per", "Sides", "Ink", "On"] as const;
type Heading = (typeof HEADINGS)[number];
type CsvRow = Partial<Record<Heading, string>>;

/** An error in a file; `row` is its line, null for the file as a whole. */
export interface FileIssue {
  row: number | null;
  message: string;
}

export interface ReadPrices {
  lists: IncomingLists;
  /** A file with any error is rejected. */
  issues: FileIssue[];
}

/** A price list as CSV. */
export function writePriceCsv(lists: PriceLists): string {
  const rows = OPTION_KINDS.flatMap((kind) =>
    lists[kind].map(({ name, pricePaise, basis, sides, inColour, active }) => [
      OPTION_FIELDS[kind].label,
      name,
      writePrice(pricePaise),
      basis,
      kind === "printingSides" ? String(sides) : "",
      kind === "printedColours" ? writeInk(inColour) : "",
      active ? "yes" : "no",
    ]),
  );
  return writeCsv(HEADINGS, rows);
}

/** Parses CSV of `writePriceCsv`, also as saved by spreadsheets; the separator is detected. */
export function readPriceCsv(text: string): ReadPrices {
  const { data, meta } = Papa.parse<CsvRow>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: false,
    transformHeader: (heading) =>
      HEADINGS.find((known) => known.toLowerCase() === heading.trim().toLowerCase()) ?? heading,
    transform: withoutGuard,
  });
  const missing = ["List", "Option", "Price"].filter((heading) => !meta.fields?.includes(heading));
  if (missing.length > 0) {
    return {
      lists: {},
      issues: [{ row: 1, message: `The first row must have the headings ${missing.join(", ")}` }],
    };
  }
  return collectRows(data);
}

function collectRows(data: CsvRow[]): ReadPrices {
  const lists: Partial<Record<OptionKind, IncomingEntry[]>> = {};
  const issues: FileIssue[] = [];
  for (const [index, cells] of data.entries()) {
    if (Object.values(cells).every((cell) => !String(cell ?? "").trim())) continue;
    const kind = readKind(cells.List ?? "");
    const list = kind ? (lists[kind] ?? []) : [];
    const messages = kind ? addRow(list, kind, cells) : [`"${cells.List ?? ""}" is not one of the six lists`];
    if (kind) lists[kind] = list;
    issues.push(...messages.map((message) => ({ row: index + 2, message })));
  }
  const isEmpty = issues.length === 0 && Object.keys(lists).length === 0;
  return { lists, issues: isEmpty ? [{ row: null, message: "The file has no options in it" }] : issues };
}

/** Adds the option of a row to its list. @returns errors */
function addRow(list: IncomingEntry[], kind: OptionKind, cells: CsvRow): string[] {
  const { entry, issues } = readPriceRow(kind, rowCells(cells));
  if (!entry) return issues;
  const isRepeat = list.some(({ name }) => name === entry.name);
  list.push(entry);
  return isRepeat ? [`"${entry.name}" is in this list twice`] : [];
}

function rowCells(cells: CsvRow): RowCells {
  const { Option: name, Price: price, Per: basis, Sides: sides, Ink: inColour, On: active } = cells;
  return { name, price, basis, sides, inColour, active };
}

/** Finds a list by its label or its name in seed files. */
function readKind(text: string): OptionKind | undefined {
  const word = text.trim().toLowerCase();
  return OPTION_KINDS.find(
    (kind) => word === kind.toLowerCase() || word === OPTION_FIELDS[kind].label.toLowerCase(),
  );
}
