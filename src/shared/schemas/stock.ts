import { z } from "zod";
import { idField } from "./fields.ts";

/** `isLastAccepted`: the person has read that nobody can order then. */
export const setOutInput = z.object({
  shopId: idField,
  optionId: idField,
  isOut: z.boolean(),
  isLastAccepted: z.boolean().default(false),
});
export type SetOutInput = z.output<typeof setOutInput>;

export const askAboutInput = z.object({ shopId: idField, optionId: idField });
export type AskAboutInput = z.output<typeof askAboutInput>;

/** `toOptionId`: the option of the same kind that is printed instead. */
export const changeStockInput = askAboutInput.extend({ toOptionId: idField });
export type ChangeStockInput = z.output<typeof changeStockInput>;
