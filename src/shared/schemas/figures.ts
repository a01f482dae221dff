import { z } from "zod";
import { countDays } from "../indian-days.ts";
import { idField } from "./fields.ts";

/** The longest period that is shown at once. */
export const MAX_FIGURE_DAYS = 366;

const dayField = z.iso.date("must be a day such as 2026-11-21");

/** A period in Indian days, both included. Without a shop: all the shops of the caller. */
export const figuresInput = z
  .object({ shopId: idField.optional(), from: dayField, until: dayField })
  .refine(({ from, until }) => from <= until, {
    path: ["until"],
    error: "The last day cannot be before the first",
  })
  .refine(({ from, until }) => countDays(from, until) <= MAX_FIGURE_DAYS, {
    path: ["from"],
    error: "This is longer than a year. Please choose fewer days",
  });
export type FiguresInput = z.output<typeof figuresInput>;
