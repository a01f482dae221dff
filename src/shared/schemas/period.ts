import { z } from "zod";
import { countDays } from "../indian-time.ts";
import { idField } from "./fields.ts";

/** The longest period whose figures can be shown. */
export const MAX_PERIOD_DAYS = 366;

export const dayField = z.iso.date("must be a day such as 2026-11-21");

/** Indian days, both included; without a shop, all shops of the caller. */
export const periodInput = z
  .object({ shopId: idField.optional(), from: dayField, until: dayField })
  .refine(({ from, until }) => from <= until, {
    path: ["until"],
    error: "The last day cannot be before the first",
  });
export type PeriodInput = z.output<typeof periodInput>;

/** A period whose figures can be shown. */
export const yearInput = periodInput.refine(({ from, until }) => countDays(from, until) <= MAX_PERIOD_DAYS, {
  path: ["from"],
  error: "This is longer than a year. Please choose fewer days",
});
