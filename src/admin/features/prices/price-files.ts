import Papa from "papaparse";
import { parseRupees, writePrice } from "#admin/lib/rupees.ts";
import { withoutGuard, writeCsv } from "#admin/lib/text-files.ts";
import { foldText } from "#shared/fold-text.ts";
import { toRupees } from "#shared/money.ts";
import { mapKinds, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { optionName } from "#shared/schemas/prices.ts";
import { type PriceListFile, type PriceListFileText, placeIn, priceListFile } from "#shared/schemas/seed.ts";
import { type Column, readActive, readBasis, readInk, readSides, writeInk } from "./price-cells.ts";

/** An option in a file. Missing fields stay unchanged, or get the defaults of a new option. */
export type IncomingEntry = Pick<PriceEntry, "name" | "pricePaise"> &
  Partial<Pick<PriceEntry, "basis" | "sides" | "inColour" | "active">>;

/** Lists from a file or another shop. Missing kinds stay unchanged. */
export type IncomingLists = Partial<Record<OptionKind, readonly IncomingEntry[]>>;

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
  const isRepeat = list.some(({ name }) => foldText(name) === foldText(entry.name));
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

/** A price list in the format of seed files. */
export function writePriceJson(lists: PriceLists): string {
  const file = mapKinds((kind) =>
    lists[kind].map(({ name, pricePaise, basis, sides, inColour, active }) => ({
      name,
      price: toRupees(pricePaise),
      basis,
      ...(kind === "printingSides" && { sides }),
      ...(kind === "printedColours" && { inColour }),
      ...(!active && { active }),
    })),
  ) as PriceListFileText;
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function readPriceJson(text: string): ReadPrices {
  const json = parse(text);
  if ("issue" in json) return { lists: {}, issues: [{ row: null, message: json.issue }] };
  const parsed = priceListFile.safeParse(json.value);
  if (parsed.success) return { lists: toEntries(parsed.data), issues: [] };
  return { lists: {}, issues: parsed.error.issues.map((issue) => toIssue(issue, json.value)) };
}

function parse(text: string): { value: unknown } | { issue: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { issue: `The file is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}

function toIssue({ path, message }: { path: PropertyKey[]; message: string }, file: unknown): FileIssue {
  return { row: null, message: path.length > 0 ? `${placeIn(file, path)}: ${message}` : message };
}

function toEntries(file: PriceListFile): ReadPrices["lists"] {
  const lists = OPTION_KINDS.flatMap((kind) => {
    const options = file[kind];
    return options ? [[kind, options.map((option) => toEntry(kind, option))] as const] : [];
  });
  return Object.fromEntries(lists);
}

type FileOption = NonNullable<PriceListFile["paperTypes" | "printingSides" | "printedColours"]>[number];

function toEntry(kind: OptionKind, option: FileOption): IncomingEntry {
  const { name, price, basis, active } = option;
  const sides = "sides" in option ? option.sides : 1;
  const marked = "inColour" in option ? option.inColour : undefined;
  return {
    name,
    pricePaise: price,
    basis,
    sides,
    inColour: kind === "printedColours" ? marked : false,
    active,
  };
}

type RowCells = Partial<Record<Column, string>>;

interface ReadRow {
  entry: IncomingEntry | null;
  /** Errors, cell by cell; empty if there is an entry. */
  issues: string[];
}

/** Parses a row of text as an option. Only name and price are required. */
function readPriceRow(kind: OptionKind, cells: RowCells): ReadRow {
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
  const pricePaise = parseRupees(cells.price ?? "");
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
