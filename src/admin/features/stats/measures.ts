import { formatCount } from "#shared/format.ts";
import { formatPaise, toRupees } from "#shared/money.ts";
import type { StatsMeasure } from "#shared/schemas/stats.ts";
import type { RouterOutputs } from "#ui/trpc.ts";

/** The server's stats of a period. */
export type Stats = RouterOutputs["stats"]["read"];
export type DayStats = Stats["days"][number];
export type StatsExport = RouterOutputs["stats"]["export"];
export type ShopStats = StatsExport["shops"][number];
export type OptionStats = Stats["options"][number];

/** What charts can show. */
export const MEASURES = {
  revenue: "Revenue",
  orders: "Orders",
  pages: "Pages",
  sheets: "Sheets",
} as const satisfies Record<StatsMeasure, string>;
export type Measure = keyof typeof MEASURES;

interface Measured {
  orders: number;
  pages: number;
  sheets: number;
}

const SHORT_COUNT = new Intl.NumberFormat("en-IN", { notation: "compact" });
const SHORT_RUPEES = new Intl.NumberFormat("en-IN", {
  notation: "compact",
  style: "currency",
  currency: "INR",
});

/** The value of a measure; revenue in paise. */
export function measured(
  measure: Measure,
  stats: Measured & ({ revenuePaise: number } | { amountPaise: number }),
): number {
  if (measure !== "revenue") return stats[measure];
  return "revenuePaise" in stats ? stats.revenuePaise : stats.amountPaise;
}

/** The value formatted for people. */
export function measureText(measure: Measure, value: number): string {
  return measure === "revenue" ? formatPaise(value) : formatCount(value);
}

/** Round values for a chart's gridlines from 0 to at least `max`: about four equal steps of whole rupees or pieces. */
export function gridlinesFor(measure: Measure, max: number): number[] {
  const wanted = Math.max(max / 4, measure === "revenue" ? 100 : 1);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= wanted) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}

/** The value in short form for a chart's axis: `₹1.2L`. */
export function shortMeasureText(measure: Measure, value: number): string {
  return measure === "revenue" ? SHORT_RUPEES.format(toRupees(value)) : SHORT_COUNT.format(value);
}
