import { toRupees } from "#shared/money.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { PriceLists } from "#shared/price-list.ts";
import { type PriceListFile, type PriceListFileText, priceListFile } from "#shared/schemas/seed.ts";
import type { FileIssue, ReadPrices } from "./price-csv.ts";
import type { IncomingEntry } from "./price-rows.ts";

/** A price list in the format of seed files. */
export function writePriceJson(lists: PriceLists): string {
  const file = Object.fromEntries(
    OPTION_KINDS.map((kind) => [
      kind,
      lists[kind].map(({ name, pricePaise, basis, sides, inColour, active }) => ({
        name,
        price: toRupees(pricePaise),
        basis,
        ...(kind === "printingSides" && { sides }),
        ...(kind === "printedColours" && { inColour }),
        ...(!active && { active }),
      })),
    ]),
  ) as PriceListFileText;
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function readPriceJson(text: string): ReadPrices {
  const json = parse(text);
  if ("issue" in json) return { lists: {}, issues: [{ row: null, message: json.issue }] };
  const parsed = priceListFile.safeParse(json.value);
  if (parsed.success) return { lists: toEntries(parsed.data), issues: [] };
  return { lists: {}, issues: parsed.error.issues.map(toIssue) };
}

function parse(text: string): { value: unknown } | { issue: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { issue: `The file is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}

function toIssue({ path, message }: { path: PropertyKey[]; message: string }): FileIssue {
  return { row: null, message: path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message };
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
