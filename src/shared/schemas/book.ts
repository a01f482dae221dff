import { z } from "zod";
import { MAX_PAISE } from "../money.ts";
import { MAX_STAFF_REASON } from "../order-limits.ts";
import { idField, optionalText } from "./fields.ts";
import { pageCursor } from "./paging.ts";
import { dayField, periodInput } from "./period.ts";

/** The filters of the orders in the book. `unpaid`: something is left to pay, also of a part. */
export const BOOK_FILTERS = ["all", "unpaid", "paid", "refunded", "refund-due"] as const;
export type BookFilter = (typeof BOOK_FILTERS)[number];

export const bookOrdersInput = periodInput.safeExtend({
  filter: z.enum(BOOK_FILTERS).default("all"),
  cursor: pageCursor,
});
export type BookOrdersInput = z.output<typeof bookOrdersInput>;

export const outstandingInput = z.object({ shopId: idField.optional(), before: dayField });
export type OutstandingInput = z.output<typeof outstandingInput>;

export const bookDayInput = z.object({ shopId: idField, day: dayField });
export type BookDayInput = z.output<typeof bookDayInput>;

/**
 * `countedCashPaise` is without the change in the drawer, so it is negative where more cash went out than came in.
 * `expectedCashPaise` is what the caller saw, so that a payment that comes between is noticed.
 */
export const closeDayInput = bookDayInput.extend({
  expectedCashPaise: z.int("must be an amount in whole paise"),
  countedCashPaise: z
    .int("must be an amount in whole paise")
    .min(-MAX_PAISE, "is more cash than fits a drawer")
    .max(MAX_PAISE, "is more cash than fits a drawer"),
  note: optionalText(MAX_STAFF_REASON),
});
export type CloseDayInput = z.output<typeof closeDayInput>;
