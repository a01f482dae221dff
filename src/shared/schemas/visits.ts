import { z } from "zod";
import { MAX_VISITOR_NAME } from "../visits.ts";
import { idField, requiredText } from "./fields.ts";
import { orderKeyField, placeOrderInput } from "./orders.ts";
import { amountField, keyField, PAYMENT_METHODS } from "./payments.ts";

export const openVisitInput = z.object({
  shopId: idField,
  code: requiredText("Code", 64),
});
export type OpenVisitInput = z.infer<typeof openVisitInput>;

/** The order of a visitor: as any other, with a name to call out instead of an address. */
export const visitOrderInput = placeOrderInput
  .pick({ orderData: true, orderValue: true, jobs: true })
  .extend({
    name: requiredText("Your name", MAX_VISITOR_NAME),
    idempotencyKey: orderKeyField,
  });
export type VisitOrderInput = z.output<typeof visitOrderInput>;

/**
 * An order that a clerk enters for somebody at the counter; `payment` is what was taken with it. `isLateAccepted`: the clerk
 * prints it before its files are deleted, whatever the shop would promise.
 */
export const walkInInput = placeOrderInput.pick({ orderData: true, orderValue: true }).extend({
  shopId: idField,
  name: requiredText("The name", MAX_VISITOR_NAME),
  key: keyField,
  payment: z.object({ method: z.enum(PAYMENT_METHODS), amountPaise: amountField }).optional(),
  isLateAccepted: z.boolean().default(false),
});
export type WalkInInput = z.output<typeof walkInInput>;

export const switchCounterInput = z.object({ shopId: idField, isOn: z.boolean() });
export type SwitchCounterInput = z.infer<typeof switchCounterInput>;
