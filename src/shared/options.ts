/** The six option lists of a shop, named as in the contract. */
export const OPTION_KINDS = [
  "printedColours",
  "printingSides",
  "paperTypes",
  "paperSizes",
  "coverOptions",
  "bindingOptions",
] as const;
export type OptionKind = (typeof OPTION_KINDS)[number];

/** Calls `make` for each kind of option. */
export function mapKinds<T>(make: (kind: OptionKind) => T): Record<OptionKind, T> {
  return Object.fromEntries(OPTION_KINDS.map((kind) => [kind, make(kind)])) as Record<OptionKind, T>;
}

/** The field of an order that holds the chosen option's name, and its label. */
export const OPTION_FIELDS = {
  printedColours: { orderField: "printedColour", label: "Printed colour" },
  printingSides: { orderField: "printingSide", label: "Printing side" },
  paperTypes: { orderField: "paperType", label: "Paper type" },
  paperSizes: { orderField: "paperSize", label: "Paper size" },
  coverOptions: { orderField: "coverOption", label: "Cover" },
  bindingOptions: { orderField: "bindingOption", label: "Binding" },
} as const satisfies Record<OptionKind, { orderField: string; label: string }>;
export type OrderOptionField = (typeof OPTION_FIELDS)[OptionKind]["orderField"];

/** The names of the chosen options, by the field of an order. */
export function namesByField(
  options: Record<OptionKind, { name: string }>,
): Record<OrderOptionField, string> {
  const names = OPTION_KINDS.map((kind) => [OPTION_FIELDS[kind].orderField, options[kind].name]);
  return Object.fromEntries(names) as Record<OrderOptionField, string>;
}

/** What an option's price is multiplied by. The contract's rule is `page`, the default. */
export const BASES = ["page", "sheet", "copy", "order"] as const;
export type Basis = (typeof BASES)[number];

/** The words behind a price: "₹35.00 a copy". */
export const PER_BASIS: Record<Basis, string> = {
  page: "a page",
  sheet: "a sheet",
  copy: "a copy",
  order: "an order",
};

/** The maximum number of options in one list. */
export const MAX_OPTIONS = 50;

/** Words for printing without colour in the name of an option. */
const WITHOUT_COLOUR = /black|b\s*[&/+]\s*w|\bbw\b|mono|gr[ae]y|\bno\b|without/i;

/** Whether an option of `printedColours` prints in colour, by its name; for an option of which nobody has said it yet. */
export function isColourName(name: string): boolean {
  return /colou?r|\brgb\b|\bcmyk\b/i.test(name) && !WITHOUT_COLOUR.test(name);
}
