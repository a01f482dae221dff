import { toRupees } from "#shared/money.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import type { PriceEntry, PriceLists } from "#shared/price-list.ts";
import { type PriceListFile, type PriceListFileText, priceListFile } from "#shared/schemas/seed.ts";
import type { FileFault, ReadPrices } from "./price-csv.ts";

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
  if ("fault" in json) return { lists: {}, faults: [{ row: null, message: json.fault }] };
  const parsed = priceListFile.safeParse(json.value);
  if (parsed.success) return { lists: toEntries(parsed.data), faults: [] };
  return { lists: {}, faults: parsed.error.issues.map(toFault) };
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `The file is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}

function toFault({ path, message }: { path: PropertyKey[]; message: string }): FileFault {
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
