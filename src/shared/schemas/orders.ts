import { z } from "zod";
import { formatCount } from "../format.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "../options.ts";
import {
  MAX_COPIES,
  MAX_FILES,
  MAX_JOBS,
  MAX_MESSAGE,
  MAX_PAGES,
  MAX_RANGES,
  MAX_RANGES_TEXT,
  TOO_MANY_FILES,
} from "../order-limits.ts";
import { CHOSEN_FULFILMENTS, ORDER_STATES } from "../order-states.ts";
import { countRanges } from "../print-pages.ts";
import { MAX_STARS } from "../ratings.ts";
import { PAGES_PER_SIDE } from "../sheet-layout.ts";
import { deliveryAddress } from "./addresses.ts";
import { countField, idField, optionalText, orderAmountField, requiredText } from "./fields.ts";
import { pageCursor } from "./paging.ts";

/** The pages to print of one file of the order; a file that is not listed is printed completely. */
const filePages = z
  .object({
    public_id: idField.meta({ description: "The file, as its upload was answered" }),
    pages: requiredText("Pages to print", MAX_RANGES_TEXT).meta({
      description:
        "Pages and ranges of them, each page once and in the document's order; `none` leaves the file out",
      examples: ["1-10, 15, 20-"],
    }),
  })
  .meta({ id: "FilePages" });

const areFew = (files: readonly z.infer<typeof filePages>[]) =>
  countRanges(files.map(({ pages }) => pages)) <= MAX_RANGES;
const TOO_MANY_RANGES = `At most ${formatCount(MAX_RANGES)} ranges of pages fit in one order. Please make several orders of it`;

/** The order data of the contract: shop and options by name, files by URL. */
export const orderData = z
  .object({
    shopId: idField.optional(),
    shopName: requiredText("Shop name"),
    shopLocation: requiredText("Shop location"),
    shopEmail: requiredText("Shop email", 254),
    shopContactNumber: optionalText(40),
    noOfPages: countField("Number of pages", MAX_PAGES),
    noOfCopies: countField("Number of copies", MAX_COPIES),
    printedColour: requiredText("Printed colour"),
    printingSide: requiredText("Printing side"),
    paperType: requiredText("Paper type"),
    paperSize: requiredText("Paper size"),
    coverOption: requiredText("Cover option"),
    bindingOption: requiredText("Binding option"),
    message: optionalText(MAX_MESSAGE),
    userEmail: optionalText(254),
    filesUrl: z
      .array(z.string().max(2000), "must be a list of file URLs")
      .min(1, "At least one file is required")
      .max(MAX_FILES, TOO_MANY_FILES),
    pageRanges: z
      .array(filePages, "must be a list of files and their pages")
      .max(MAX_FILES, TOO_MANY_FILES)
      .refine(areFew, TOO_MANY_RANGES)
      .optional()
      .meta({
        description: "Left out: all pages of all files. `noOfPages` is at most the sum of these pages",
      }),
    subTotal: orderAmountField,
  })
  .meta({ id: "OrderData" });
export type OrderData = z.infer<typeof orderData>;

/** The price that the client has computed, in rupees; parsed to paise. */
export const orderValue = z
  .object({
    subTotal: orderAmountField,
    tax: orderAmountField,
    deliveryFee: orderAmountField,
    orderTotal: orderAmountField,
  })
  .meta({ id: "OrderValue" });

const optionField = z.enum(OPTION_KINDS.map((kind) => OPTION_FIELDS[kind].orderField));

/** A job of an order. */
const orderJob = z
  .object({
    pagesPerSide: z
      // One literal for each: of a literal with several values the API's document names the first only.
      .union(
        PAGES_PER_SIDE.map((count) => z.literal(count)),
        "must be 1, 2, 4, 6 or 9",
      )
      .default(1)
      .meta({ description: "Pages on each printed side; the price counts printed sides" }),
    hasFrames: z.boolean().default(false).meta({ description: "A thin line around each page" }),
    readsDown: z
      .boolean()
      .optional()
      .meta({ description: "Pages are read down, column by column, and not across" }),
    isBooklet: z.boolean().default(false).meta({
      description:
        "Each file becomes a booklet to be folded: with 2 pages on a side, and an option that prints both sides",
    }),
    pageRanges: z
      .array(filePages, "must be a list of files and their pages")
      .min(1, "A job has at least one file")
      .max(MAX_FILES, TOO_MANY_FILES)
      .optional()
      .meta({
        description:
          "The pages that this job prints: each is among those of `orderData` and in no other job. The first job has none, and prints what no other does",
      }),
    options: z.partialRecord(optionField, requiredText("Option name")).optional().meta({
      description:
        "Names of its options, where they differ from those of `orderData`. The first job has none",
    }),
  })
  .refine(({ isBooklet, pagesPerSide }) => !isBooklet || pagesPerSide === 2, {
    path: ["pagesPerSide"],
    message: "A booklet has 2 pages on a side",
  })
  .meta({ id: "OrderJob" });

export const orderJobs = z
  .array(orderJob, "must be a list of jobs")
  .min(1, "An order has at least one job")
  .max(MAX_JOBS, `An order has at most ${MAX_JOBS} jobs`)
  .refine((jobs) => areFew(jobs.flatMap(({ pageRanges = [] }) => pageRanges)), TOO_MANY_RANGES)
  .superRefine((jobs, ctx) => {
    for (const [at, { pageRanges, options }] of jobs.entries()) {
      if (at === 0 && (pageRanges || options)) {
        const message = "The first job prints what no other does, with the options of the order data";
        ctx.addIssue({ code: "custom", path: [at, pageRanges ? "pageRanges" : "options"], message });
      }
      if (at > 0 && !pageRanges) {
        ctx.addIssue({
          code: "custom",
          path: [at, "pageRanges"],
          message: "Say which pages this job prints",
        });
      }
    }
  })
  .meta({ description: "Left out: one job that prints each page on a side of its own" });

/** Without NUL characters, as texts are. */
export const orderKeyField = z
  .string()
  .overwrite((key) => key.replaceAll("\0", ""))
  .trim()
  .min(1)
  .max(200);

export const placeOrderInput = z
  .object({
    orderData,
    orderValue,
    address: deliveryAddress.optional(),
    fulfilment: z
      .enum(CHOSEN_FULFILMENTS)
      .default("delivery")
      .describe(
        "pickup: the student fetches the order at a shop that offers it; no delivery fee, no address",
      ),
    jobs: orderJobs.optional(),
    idempotencyKey: orderKeyField.optional(),
  })
  .meta({ id: "PlaceOrder" });
/** As sent: amounts in rupees. */
export type PlaceOrderRequest = z.input<typeof placeOrderInput>;
/** As parsed: amounts in paise. */
export type PlaceOrderInput = z.output<typeof placeOrderInput>;

export const placedOrder = z
  .object({
    _id: z.string(),
    orderNumber: z.string(),
    status: z.enum(ORDER_STATES),
    orderValue: z.object({
      subTotal: z.number(),
      tax: z.number(),
      deliveryFee: z.number(),
      orderTotal: z.number(),
    }),
    createdAt: z.string(),
  })
  .meta({ id: "PlacedOrder" });
export type PlacedOrder = z.infer<typeof placedOrder>;

export const ownOrdersInput = z.object({ cursor: pageCursor });

export const rateInput = z.object({ orderId: idField, stars: z.int().min(1).max(MAX_STARS) });
export type RateInput = z.output<typeof rateInput>;

/** `lastEventId`: the last event of orders that the screen has received. */
export const liveInput = z.object({ lastEventId: z.string().max(20).nullish() }).optional();
