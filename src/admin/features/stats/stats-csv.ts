import { OPTION_FIELDS } from "#shared/options.ts";
import { trpc } from "#ui/trpc.ts";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { showFailure } from "../../lib/notices.tsx";
import { writePrice } from "../../lib/rupees.ts";
import type { Period } from "../../lib/screen-searches.ts";
import { saveTextFile, writeCsv } from "../../lib/text-files.ts";
import type { DayStats, OptionStats, ShopStats, StatsExport } from "./measures.ts";

const COUNTS = ["Orders", "Pages", "Sheets"];

function daysCsv(days: DayStats[]): string {
  return writeCsv(
    ["Day", ...COUNTS, "Revenue before refunds in rupees", "Cancelled orders"],
    days.map(({ day, orders, pages, sheets, revenuePaise, cancelled }) => [
      ...[day, orders, pages, sheets, writePrice(revenuePaise), cancelled],
    ]),
  );
}

function shopsCsv(shops: ShopStats[]): string {
  return writeCsv(
    ["Shop", "Location", ...COUNTS, "Revenue before refunds in rupees", "Cancelled orders"],
    shops.map(({ name, location, orders, pages, sheets, revenuePaise, cancelled }) => [
      ...[name, location, orders, pages, sheets, writePrice(revenuePaise), cancelled],
    ]),
  );
}

function optionsCsv(options: OptionStats[]): string {
  return writeCsv(
    ["List", "Option", ...COUNTS, "Amount in rupees"],
    options.map(({ kind, name, orders, pages, sheets, amountPaise }) => [
      ...[OPTION_FIELDS[kind].label, name, orders, pages, sheets, writePrice(amountPaise)],
    ]),
  );
}

const TABLES = {
  days: ({ days }: StatsExport) => daysCsv(days),
  shops: ({ shops }: StatsExport) => shopsCsv(shops),
  options: ({ options }: StatsExport) => optionsCsv(options),
};

/** Downloads a table of the period as CSV; the server asks for a confirmation first. */
export function useStatsExport({ from, until }: Period): (table: keyof typeof TABLES) => void {
  const { stats } = trpc.useUtils();
  const shopId = useCurrentShop();
  return (table) => {
    stats.export
      .fetch({ shopId, from, until }, { staleTime: 0 })
      .then((all) => saveTextFile(`stats-${table}-${from}-to-${until}.csv`, "text/csv", TABLES[table](all)))
      .catch(showFailure);
  };
}
