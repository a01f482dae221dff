import { z } from "zod";
import { MAX_VISITOR_NAME } from "../visits.ts";
import { idField, requiredText } from "./fields.ts";
import { placeOrderInput } from "./orders.ts";

export const counterPageInput = z.object({ shopId: idField });

export const openVisitInput = z.object({
  shopId: idField,
  code: requiredText("Code", 64),
});
export type OpenVisitInput = z.infer<typeof openVisitInput>;

/** The order of a visitor: as any other, with a name to call out instead of an address. */
export const visitOrderInput = placeOrderInput.pick({ orderData: true, orderValue: true }).extend({
  name: requiredText("Your name", MAX_VISITOR_NAME),
  idempotencyKey: z.string().trim().min(1).max(200),
});
export type VisitOrderInput = z.output<typeof visitOrderInput>;

export const switchCounterInput = z.object({ shopId: idField, isOn: z.boolean() });
export type SwitchCounterInput = z.infer<typeof switchCounterInput>;
