import { z } from "zod";
import { countDays } from "../indian-time.ts";
import { MAX_STAFF_REASON } from "../order-limits.ts";
import { idField, optionalText } from "./fields.ts";
import { listCursor } from "./paging.ts";
import { MAX_STATS_DAYS } from "./stats.ts";

const dayField = z.iso.date("must be a day such as 2026-11-21");

/** The filters of the orders in the book. `unpaid`: something is left to pay, also of a part. */
export const BOOK_FILTERS = ["all", "unpaid", "paid", "refunded", "refund-due"] as const;
export type BookFilter = (typeof BOOK_FILTERS)[number];

/** Indian days, both included; without a shop, all shops of the caller. */
const period = z.object({ shopId: idField.optional(), from: dayField, until: dayField });
const IN_ORDER = { path: ["until"], error: "The last day cannot be before the first" };
const inOrder = ({ from, until }: { from: string; until: string }) => from <= until;

/** A period of the export, however long. */
export const exportInput = period.refine(inOrder, IN_ORDER);
export type ExportInput = z.output<typeof exportInput>;

export const bookInput = exportInput.refine(({ from, until }) => countDays(from, until) <= MAX_STATS_DAYS, {
  path: ["from"],
  error: "This is longer than a year. Please choose fewer days",
});
export type BookInput = z.output<typeof bookInput>;

/** `cursor` is set by React Query to the `next` of the page before. */
export const bookOrdersInput = z.intersection(
  exportInput,
  z.object({ filter: z.enum(BOOK_FILTERS).default("all"), cursor: listCursor.nullish() }),
);
export type BookOrdersInput = z.output<typeof bookOrdersInput>;

export const outstandingInput = z.object({ shopId: idField.optional(), before: dayField });
export type OutstandingInput = z.output<typeof outstandingInput>;

export const bookDayInput = z.object({ shopId: idField, day: dayField });
export type BookDayInput = z.output<typeof bookDayInput>;

/** `expectedCashPaise` is what the caller saw, so that a payment that comes between is noticed. */
export const closeDayInput = bookDayInput.extend({
  expectedCashPaise: z.int("must be an amount in whole paise"),
  countedCashPaise: z
    .int("must be an amount in whole paise")
    .min(0, "cannot be less than ₹0.00")
    .max(2 ** 31 - 1, "is more cash than fits a drawer"),
  note: optionalText(MAX_STAFF_REASON),
});
export type CloseDayInput = z.output<typeof closeDayInput>;
