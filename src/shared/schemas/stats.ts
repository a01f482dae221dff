import { z } from "zod";
import { yearInput } from "./period.ts";

/** The measures that shops can be ranked by. */
export const STATS_MEASURES = ["revenue", "orders", "pages", "sheets"] as const;
export type StatsMeasure = (typeof STATS_MEASURES)[number];

/** One page of the shops, the best first. @property cursor how many stand before it */
export const shopStatsInput = yearInput.safeExtend({
  by: z.enum(STATS_MEASURES).default("revenue"),
  cursor: z.int().min(0).max(1_000_000).nullish(),
});
export type ShopStatsInput = z.output<typeof shopStatsInput>;
