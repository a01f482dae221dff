import { z } from "zod";
import { MAX_REPORT_PHOTOS } from "../reprints.ts";
import { idField, requiredText } from "./fields.ts";
import { orderData } from "./orders.ts";

export const MAX_REASON = 1000;
export const MAX_ANSWER = 1000;

export const reportInput = z.object({
  orderId: idField,
  reason: requiredText("What is wrong", MAX_REASON),
  /** The ids that the photo uploads returned. */
  photos: z
    .array(idField, "must be a list of photos")
    .max(MAX_REPORT_PHOTOS, `At most ${MAX_REPORT_PHOTOS} photos can be added`)
    .default([]),
});
export type ReportInput = z.output<typeof reportInput>;

export const answerInput = z.object({
  orderId: idField,
  accepted: z.boolean(),
  answer: requiredText("An answer", MAX_ANSWER),
});
export type AnswerInput = z.output<typeof answerInput>;

/** The files that were uploaded again, in the format of an order. */
export const reprintOrderInput = orderData
  .pick({ filesUrl: true, pageRanges: true })
  .extend({ orderId: idField });
export type ReprintOrderInput = z.output<typeof reprintOrderInput>;
