import { writeCsv } from "#admin/lib/csv.ts";
import { saveTextFile } from "#admin/lib/text-files.ts";
import { type Paise, toRupees } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { DayFigures, OptionFigures, ShopFigures } from "./figures-answers.ts";
import type { Period } from "./figures-period.ts";

const COUNTS = ["Orders", "Pages", "Sheets"];

export function daysCsv(days: DayFigures[]): string {
  return writeCsv(
    ["Day", ...COUNTS, "Revenue in rupees", "Cancelled orders"],
    days.map(({ day, orders, pages, sheets, revenuePaise, cancelled }) => [
      ...[day, orders, pages, sheets, rupees(revenuePaise), cancelled],
    ]),
  );
}

export function shopsCsv(shops: ShopFigures[]): string {
  return writeCsv(
    ["Shop", "Location", ...COUNTS, "Revenue in rupees", "Cancelled orders"],
    shops.map(({ name, location, orders, pages, sheets, revenuePaise, cancelled }) => [
      ...[name, location, orders, pages, sheets, rupees(revenuePaise), cancelled],
    ]),
  );
}

export function optionsCsv(options: OptionFigures[]): string {
  return writeCsv(
    ["List", "Option", ...COUNTS, "Amount in rupees"],
    options.map(({ kind, name, orders, pages, sheets, amountPaise }) => [
      ...[OPTION_FIELDS[kind].label, name, orders, pages, sheets, rupees(amountPaise)],
    ]),
  );
}

/** Hands the person a table of the period to keep. @param what names it: `days` */
export function saveFigures(what: string, { from, until }: Period, csv: string): void {
  saveTextFile(`figures-${what}-${from}-to-${until}.csv`, "text/csv", csv);
}

function rupees(paise: Paise): string {
  return toRupees(paise).toFixed(2);
}
