import { z } from "zod";
import { countDays } from "../indian-days.ts";
import { idField } from "./fields.ts";

/** The longest period that can be shown. */
export const MAX_FIGURE_DAYS = 366;

const dayField = z.iso.date("must be a day such as 2026-11-21");

/** The measures that shops can be ranked by. */
export const FIGURE_MEASURES = ["revenue", "orders", "pages", "sheets"] as const;
export type FigureMeasure = (typeof FIGURE_MEASURES)[number];

/** A period in Indian days, both included; without a shop, for all shops of the caller. */
const period = z.object({ shopId: idField.optional(), from: dayField, until: dayField });

export const figuresInput = checked(period);
export type FiguresInput = z.output<typeof figuresInput>;

/** One page of the shops, the best first. @property cursor how many stand before it */
export const shopFiguresInput = checked(
  period.extend({
    by: z.enum(FIGURE_MEASURES).default("revenue"),
    cursor: z.int().min(0).max(1_000_000).nullish(),
  }),
);
export type ShopFiguresInput = z.output<typeof shopFiguresInput>;

function checked<Fields extends typeof period>(fields: Fields) {
  return fields
    .refine(({ from, until }) => from <= until, {
      path: ["until"],
      error: "The last day cannot be before the first",
    })
    .refine(({ from, until }) => countDays(from, until) <= MAX_FIGURE_DAYS, {
      path: ["from"],
      error: "This is longer than a year. Please choose fewer days",
    });
}
