import { z } from "zod";
import { BASES } from "../options.ts";
import { emailField, idField, requiredText, rupeesField } from "./fields.ts";

const tenthsField = z
  .number("must be from 0 to 5 with at most one decimal")
  .refine((stars) => stars >= 0 && stars <= 5, "must be from 0 to 5")
  .refine((stars) => Math.abs(stars * 10 - Math.round(stars * 10)) < 1e-6, "must have at most one decimal")
  .transform((stars) => Math.round(stars * 10));

const seedOption = z.strictObject({
  name: requiredText("Option name", 80).describe("Unique in its list; orders name the option by it"),
  price: rupeesField.describe("Rupees with at most two decimals"),
  basis: z
    .enum(BASES)
    .default("page")
    .describe("What the price is multiplied by: page (pages × copies), sheet, copy, or once per order"),
});

const option = seedOption.meta({ id: "Option" });
const sideOption = seedOption
  .extend({ sides: z.literal([1, 2]).describe("Printed sides of a sheet") })
  .meta({ id: "SideOption" });

/** A list of options with at least one entry and no name twice; the first is the shop's usual choice. */
function optionList<T extends z.ZodType<{ name: string }>>(entry: T) {
  return z
    .array(entry, "must be a list of options")
    .min(1, "must have at least one option")
    .max(50, "must have at most 50 options")
    .superRefine((options, ctx) => refuseRepeats(options, "name", ctx));
}

const seedShop = z.strictObject({
  id: idField.describe("Stable for ever: what a later seed finds the shop by, and what its address holds"),
  shopName: requiredText("Shop name"),
  shopLocation: requiredText("Shop location"),
  college: requiredText("College"),
  shopImage: requiredText("Shop image", 500)
    .refine(
      (url) => /^(\/(?!\/)|https:\/\/)/.test(url),
      "must be a path of this store or an https:// address",
    )
    .describe("A path of this store, such as /shop-images/x.svg, or an https:// address"),
  ratings: tenthsField.describe("Stars from 0 to 5 with at most one decimal"),
  perPageCost: rupeesField.describe("Shown on the shop's card: rupees a page with at most two decimals"),
  email: emailField,
  contactNumber: requiredText("Contact number", 40),
  paperTypes: optionList(option),
  paperSizes: optionList(option),
  printedColours: optionList(option),
  printingSides: optionList(sideOption),
  coverOptions: optionList(option),
  bindingOptions: optionList(option),
});

/** A file of shops and their price lists. As parsed: prices in paise, ratings in tenths of a star. */
export const seedFile = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds this schema; the store does not read it"),
  shops: z
    .array(seedShop, "must be a list of shops")
    .min(1, "must have at least one shop")
    .superRefine((shops, ctx) => refuseRepeats(shops, "id", ctx)),
});
export type SeedFile = z.output<typeof seedFile>;
export type SeedShop = SeedFile["shops"][number];

function refuseRepeats<K extends string>(
  entries: readonly Record<K, string>[],
  key: K,
  ctx: z.RefinementCtx,
): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (seen.has(entry[key])) {
      ctx.addIssue({ code: "custom", path: [index, key], message: `"${entry[key]}" is here twice` });
    }
    seen.add(entry[key]);
  }
}
