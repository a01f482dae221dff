import { z } from "zod";
import { foldText } from "../fold-text.ts";
import { BASES, MAX_OPTIONS, type OptionKind } from "../options.ts";
import { idField, rejectDuplicates, rupeesField } from "./fields.ts";
import { optionName } from "./prices.ts";
import { notNew, openingHoursField, shopDetailFields, upiIdField } from "./shop-details.ts";

const seedOption = z.strictObject({
  name: optionName.describe("Unique in its list; orders name the option by it"),
  price: rupeesField.describe("Rupees with at most two decimals"),
  basis: z
    .enum(BASES)
    .default("page")
    .describe("What the price is multiplied by: page (pages × copies), sheet, copy, or once per order"),
  active: z.boolean().default(true).describe("false: kept in the list, and offered to nobody"),
});

const option = seedOption.meta({ id: "Option" });
const colourOption = seedOption
  .extend({
    inColour: z
      .boolean()
      .optional()
      .describe("true: prints in colour. Left out: stays as it is; a new option as its name says"),
  })
  .meta({ id: "ColourOption" });
const sideOption = seedOption
  .extend({ sides: z.literal([1, 2]).describe("Printed sides of a sheet") })
  .meta({ id: "SideOption" });

/** A list of options with unique names; the first is the shop's default. */
function optionList<T extends z.ZodType<{ name: string; active: boolean }>>(entry: T) {
  return z
    .array(entry, "must be a list of options")
    .max(MAX_OPTIONS, `must have at most ${MAX_OPTIONS} options`)
    .superRefine((options, ctx) => rejectDuplicates(options, "name", ctx, foldText));
}

/** A list with at least one active option. */
function offeredList<T extends z.ZodType<{ name: string; active: boolean }>>(entry: T) {
  return optionList(entry)
    .min(1, "must have at least one option")
    .refine((options) => options.some(({ active }) => active), "must have at least one option that is on");
}

const seedShop = z.strictObject({
  id: idField
    .refine(...notNew)
    .describe("Stable for ever: what a later seed finds the shop by, and what its address holds"),
  ...shopDetailFields,
  upiId: upiIdField
    .optional()
    .describe("Where students pay by UPI, such as name@bank; empty: on delivery. Left out: stays as it is"),
  offersPickup: z
    .boolean()
    .optional()
    .describe("true: students may fetch their orders at the shop. Left out: stays as it is"),
  separatesFiles: z
    .boolean()
    .optional()
    .describe(
      "true: packs have a sheet with its name before each file but the first. Left out: stays as it is",
    ),
  openingHours: openingHoursField
    .optional()
    .describe("Such as Mon-Sat 9:00-20:00; Sun 10:00-14:00. Left out: stays as it is"),
  paperTypes: offeredList(option),
  paperSizes: offeredList(option),
  printedColours: offeredList(colourOption),
  printingSides: offeredList(sideOption),
  coverOptions: offeredList(option),
  bindingOptions: offeredList(option),
});

/** A file of shops and their price lists. Parsed: prices in paise, ratings in tenths of a star. */
export const seedFile = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds this schema; the store does not read it"),
  shops: z
    .array(seedShop, "must be a list of shops")
    .min(1, "must have at least one shop")
    .superRefine((shops, ctx) => rejectDuplicates(shops, "id", ctx)),
});
export type SeedFile = z.output<typeof seedFile>;
export type SeedShop = SeedFile["shops"][number];
/** Unparsed: prices in rupees, ratings in stars. */
export type SeedFileText = z.input<typeof seedFile>;

/** A file with the price list of one shop, or some of its lists. */
export const priceListFile = z
  .strictObject({
    paperTypes: optionList(option),
    paperSizes: optionList(option),
    printedColours: optionList(colourOption),
    printingSides: optionList(sideOption),
    coverOptions: optionList(option),
    bindingOptions: optionList(option),
  } satisfies Record<OptionKind, z.ZodType>)
  .partial();
export type PriceListFile = z.output<typeof priceListFile>;
export type PriceListFileText = z.input<typeof priceListFile>;

/**
 * Where an error is in a file of shops or prices, such as `shop 2 (Lamp Post Prints), paperTypes, option 1 (70 GSM), price`:
 * counted from one, and with the names, unless the error is in the name itself. Empty for the whole file.
 */
export function placeIn(file: unknown, path: readonly PropertyKey[]): string {
  let value = file;
  const words = path.flatMap((key, step) => {
    value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
    if (typeof key !== "number") return step === 0 && key === "shops" && path.length > 1 ? [] : String(key);
    const [kind, nameKey] = path[step - 1] === "shops" ? ["shop", "shopName"] : ["option", "name"];
    const name = (value as Record<string, unknown> | null)?.[nameKey];
    const isNamed = typeof name === "string" && name.trim() !== "" && path[step + 1] !== nameKey;
    return `${kind} ${key + 1}${isNamed ? ` (${name})` : ""}`;
  });
  return words.join(", ");
}
