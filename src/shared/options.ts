/** The six option lists of a shop, under the names of the contract. */
export const OPTION_KINDS = [
  "printedColours",
  "printingSides",
  "paperTypes",
  "paperSizes",
  "coverOptions",
  "bindingOptions",
] as const;
export type OptionKind = (typeof OPTION_KINDS)[number];

/** The name under which an order carries the chosen option of a kind, and its label for people. */
export const OPTION_FIELDS = {
  printedColours: { orderField: "printedColour", label: "Printed colour" },
  printingSides: { orderField: "printingSide", label: "Printing side" },
  paperTypes: { orderField: "paperType", label: "Paper type" },
  paperSizes: { orderField: "paperSize", label: "Paper size" },
  coverOptions: { orderField: "coverOption", label: "Cover" },
  bindingOptions: { orderField: "bindingOption", label: "Binding" },
} as const satisfies Record<OptionKind, { orderField: string; label: string }>;
export type OrderOptionField = (typeof OPTION_FIELDS)[OptionKind]["orderField"];

/** What an option's price is multiplied by. The contract's rule is `page`, unless staff change it. */
export const BASES = ["page", "sheet", "copy", "order"] as const;
export type Basis = (typeof BASES)[number];

/** How a price is said with its basis: "₹35.00 a copy". */
export const PER_BASIS: Record<Basis, string> = {
  page: "a page",
  sheet: "a sheet",
  copy: "a copy",
  order: "an order",
};

/** How many options one list may have. */
export const MAX_OPTIONS = 50;
