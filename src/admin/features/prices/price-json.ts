import { toRupees } from "#shared/money.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { type PriceListFile, type PriceListFileText, priceListFile } from "#shared/schemas/seed.ts";
import type { FileIssue, ReadPrices } from "./price-csv.ts";

/** A price list in the format of seed files. */
export function writePriceJson(lists: PriceLists): string {
  const file = Object.fromEntries(
    OPTION_KINDS.map((kind) => [
      kind,
      lists[kind].map(({ name, pricePaise, basis, sides, active }) => ({
        name,
        price: toRupees(pricePaise),
        basis,
        ...(kind === "printingSides" && { sides }),
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
    return options ? [[kind, options.map(toEntry)] as const] : [];
  });
  return Object.fromEntries(lists);
}

type FileOption = NonNullable<PriceListFile["paperTypes" | "printingSides"]>[number];

function toEntry(option: FileOption): PriceEntry {
  const { name, price, basis, active } = option;
  return { name, pricePaise: price, basis, sides: "sides" in option ? option.sides : 1, active };
}
