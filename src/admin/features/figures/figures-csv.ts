import { type Paise, toRupees } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { trpc } from "#ui/trpc.ts";
import { writeCsv } from "../../lib/csv.ts";
import { useCurrentShop } from "../../lib/current-shop.ts";
import { showFailure } from "../../lib/notices.ts";
import { saveTextFile } from "../../lib/text-files.ts";
import type { DayFigures, FiguresExport, OptionFigures, ShopFigures } from "./figures-answers.ts";
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

const TABLES = {
  days: ({ days }: FiguresExport) => daysCsv(days),
  shops: ({ shops }: FiguresExport) => shopsCsv(shops),
  options: ({ options }: FiguresExport) => optionsCsv(options),
};

/** Hands the person a table of the period to keep, which the server gives only to who has proved that it is them. */
export function useFiguresExport({ from, until }: Period): (table: keyof typeof TABLES) => void {
  const { figures } = trpc.useUtils();
  const shopId = useCurrentShop();
  return (table) => {
    figures.export
      .fetch({ shopId, from, until }, { staleTime: 0 })
      .then((all) => saveTextFile(`figures-${table}-${from}-to-${until}.csv`, "text/csv", TABLES[table](all)))
      .catch(showFailure);
  };
}

function rupees(paise: Paise): string {
  return toRupees(paise).toFixed(2);
}
