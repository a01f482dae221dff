import { z } from "zod";
import { foldText } from "../fold-text.ts";
import { BASES, MAX_OPTIONS, type OptionKind } from "../options.ts";
import { idField, paiseField, rejectDuplicates, requiredText } from "./fields.ts";

export const optionName = requiredText("Option name", 80);

/** One row of a price list; `id` is left out for a new option. */
const entry = z.strictObject({
  id: idField.optional(),
  name: optionName,
  pricePaise: paiseField,
  basis: z.enum(BASES),
  sides: z.literal(1, "must be 1: only printing sides can be 2"),
  inColour: z.literal(false, "must be false: only printed colours can be in colour"),
  active: z.boolean(),
});
const colourEntry = entry.extend({ inColour: z.boolean() });
const sideEntry = entry.extend({ sides: z.literal([1, 2], "must be 1 or 2") });

function entryList<T extends z.ZodType<{ id?: string | undefined; name: string }>>(row: T) {
  return z
    .array(row)
    .max(MAX_OPTIONS, `must have at most ${MAX_OPTIONS} options`)
    .superRefine((entries, ctx) => {
      rejectDuplicates(entries, "name", ctx, foldText);
      rejectDuplicates(entries, "id", ctx);
    });
}

/** All six lists, each in its order. */
export const priceListsInput = z.strictObject({
  printedColours: entryList(colourEntry),
  printingSides: entryList(sideEntry),
  paperTypes: entryList(entry),
  paperSizes: entryList(entry),
  coverOptions: entryList(entry),
  bindingOptions: entryList(entry),
} satisfies Record<OptionKind, z.ZodType>);
export type PriceListsInput = z.input<typeof priceListsInput>;

export const savePricesInput = z.object({
  shopId: idField,
  /** The version that was edited. */
  version: z.int32().min(0),
  lists: priceListsInput,
  /** Whether a new shop is shown to students with its first price list. */
  show: z.boolean().default(false),
});
export type SavePricesInput = z.output<typeof savePricesInput>;
