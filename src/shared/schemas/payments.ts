import { z } from "zod";
import { MAX_PAISE } from "../money.ts";
import { MAX_STAFF_REASON } from "../order-limits.ts";
import { idField, requiredText } from "./fields.ts";

export const PAYMENT_METHODS = ["cash", "upi"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const amountField = z
  .int("must be an amount in whole paise")
  .min(1, "must be more than ₹0.00")
  .max(MAX_PAISE, "is more than an order can cost");

/** Chosen by the client for each press: what is sent twice with the same key is recorded once. */
export const keyField = z
  .string("must be a key")
  .regex(/^[\w-]{8,64}$/, "must be a key of 8 to 64 characters");

/** A payment at the counter or the door. */
export const paymentFields = z.object({
  method: z.enum(PAYMENT_METHODS),
  amountPaise: amountField,
  key: keyField,
});
export type PaymentFields = z.output<typeof paymentFields>;

export const takePaymentInput = paymentFields.extend({ orderId: idField });
export type TakePaymentInput = z.output<typeof takePaymentInput>;

export const refundInput = takePaymentInput.extend({ reason: requiredText("A reason", MAX_STAFF_REASON) });
export type RefundInput = z.output<typeof refundInput>;

/** `paymentId`: the row that was entered by mistake. */
export const reverseInput = z.object({
  orderId: idField,
  paymentId: idField,
  reason: requiredText("A reason", MAX_STAFF_REASON),
  key: keyField,
});
export type ReverseInput = z.output<typeof reverseInput>;
