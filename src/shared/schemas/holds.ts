import { z } from "zod";
import { MAX_HOLD_ANSWER, MAX_HOLD_REASON } from "../holds.ts";
import { OPTION_KINDS } from "../options.ts";
import { MAX_FILES, MAX_JOBS, MAX_RANGES_TEXT, TOO_MANY_FILES } from "../order-limits.ts";
import { MAX_MOVES } from "./board.ts";
import { idField, requiredText } from "./fields.ts";

const reason = requiredText("A reason", MAX_HOLD_REASON);

export const holdInput = z.object({ orderId: idField, reason });
export type HoldInput = z.output<typeof holdInput>;

export const holdSeveralInput = z.object({
  orderIds: z
    .array(idField, "must be a list of orders")
    .min(1, "Choose at least one order")
    .max(MAX_MOVES, `At most ${MAX_MOVES} orders can be put on hold at once`),
  reason,
});
export type HoldSeveralInput = z.output<typeof holdSeveralInput>;

/** `holdId` is the hold that the caller saw: a later one is not meant. */
export const openHoldInput = z.object({ orderId: idField, holdId: idField });
export type OpenHoldInput = z.output<typeof openHoldInput>;

export const holdAnswerInput = openHoldInput.extend({
  answer: requiredText("An answer", MAX_HOLD_ANSWER),
});
export type HoldAnswerInput = z.output<typeof holdAnswerInput>;

/** A file of the order that another one replaces; without `pages` all of the new one's are printed. */
const replacedFile = z.object({
  fileId: idField,
  fileUrl: z.string().max(2000),
  pages: requiredText("Pages to print", MAX_RANGES_TEXT).optional(),
});

/** What the student changes in an order that is on hold. */
export const holdChangesInput = openHoldInput.extend({
  files: z.array(replacedFile, "must be a list of files").max(MAX_FILES, TOO_MANY_FILES).default([]),
  /** For each job of the order, the ids of other options of the shop for the kinds that change. */
  options: z
    .array(z.partialRecord(z.enum(OPTION_KINDS), idField), "must be a list of the changes of each job")
    .max(MAX_JOBS, `An order has at most ${MAX_JOBS} jobs`)
    .default([]),
});
export type HoldChangesInput = z.output<typeof holdChangesInput>;

/** With the new total that the student has seen and accepts. */
export const agreeChangesInput = holdChangesInput.extend({ expectedTotalPaise: z.int().min(0) });
export type AgreeChangesInput = z.output<typeof agreeChangesInput>;
