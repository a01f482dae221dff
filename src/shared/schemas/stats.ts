import { z } from "zod";
import { countDays } from "../indian-time.ts";
import { idField } from "./fields.ts";

/** The longest period that can be shown. */
export const MAX_STATS_DAYS = 366;

const dayField = z.iso.date("must be a day such as 2026-11-21");

/** The measures that shops can be ranked by. */
const STATS_MEASURES = ["revenue", "orders", "pages", "sheets"] as const;
export type StatsMeasure = (typeof STATS_MEASURES)[number];

/** A period in Indian days, both included; without a shop, for all shops of the caller. */
const period = z.object({ shopId: idField.optional(), from: dayField, until: dayField });

export const statsInput = checked(period);
export type StatsInput = z.output<typeof statsInput>;

/** One page of the shops, the best first. @property cursor how many stand before it */
export const shopStatsInput = checked(
  period.extend({
    by: z.enum(STATS_MEASURES).default("revenue"),
    cursor: z.int().min(0).max(1_000_000).nullish(),
  }),
);
export type ShopStatsInput = z.output<typeof shopStatsInput>;

function checked<Fields extends typeof period>(fields: Fields) {
  return fields
    .refine(({ from, until }) => from <= until, {
      path: ["until"],
      error: "The last day cannot be before the first",
    })
    .refine(({ from, until }) => countDays(from, until) <= MAX_STATS_DAYS, {
      path: ["from"],
      error: "This is longer than a year. Please choose fewer days",
    });
}
