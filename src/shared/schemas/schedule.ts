import { z } from "zod";
import { idField } from "./fields.ts";

const MAX_HOLIDAYS = 100;

/** A day of the calendar, such as `2026-12-25`. */
const dayField = z.iso.date({
  error: ({ input }) => `Write each holiday as a day such as 2026-12-25, not “${String(input).slice(0, 40)}”`,
});

const settingFields = {
  holidays: z
    .array(dayField)
    .max(MAX_HOLIDAYS, `A shop can have up to ${MAX_HOLIDAYS} holidays`)
    .transform((days) => [...new Set(days)].toSorted()),
  pagesPerMinute: z.number().int().min(1, "must be at least 1").max(2000),
  handlingMinutes: z.number().int().min(0).max(240),
};

export const saveScheduleInput = z.object({
  shopId: idField,
  ...settingFields,
  /** The settings that were changed; without them these replace whatever is saved. */
  base: z.object(settingFields).optional(),
});
export type SaveScheduleInput = z.infer<typeof saveScheduleInput>;

export const closeEarlyInput = z.object({
  shopId: idField,
  /** False: the shop goes on working today after all. */
  isClosing: z.boolean(),
});
export type CloseEarlyInput = z.infer<typeof closeEarlyInput>;

export const promiseInput = z.object({
  shopId: idField,
  /** Printed pages: the pages of a copy times the copies. */
  pages: z.number().int().min(1).max(1_000_000),
});
export type PromiseInput = z.infer<typeof promiseInput>;
