import { z } from "zod";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { FULFILMENTS } from "#shared/order-states.ts";
import { MAX_COPIES } from "#shared/schemas/orders.ts";
import { keepLimits, type PrintFile } from "../files/print-file.ts";
import { randomKey } from "../files/random-key.ts";

const printFile = z.object({
  key: z.string(),
  name: z.string(),
  bytes: z.number(),
  uploaded: z.object({ id: z.string(), url: z.string(), pages: z.number().int() }).nullable(),
  refusal: z.string().optional(),
  ranges: z.string().optional(),
});

/** Ids of the chosen options by their kind. */
const optionChoices = z.partialRecord(z.enum(OPTION_KINDS), z.string());
export type OptionChoices = Partial<Record<OptionKind, string>>;

/** An order in preparation at one shop, as stored in the browser. */
const draft = z.object({
  files: z.array(printFile),
  /** "all": all chosen pages; a number: only the first ones; "": the field is empty. */
  pages: z.union([z.literal("all"), z.literal(""), z.number().int().min(1)]),
  copies: z.union([z.literal(""), z.number().int().min(1).max(MAX_COPIES)]),
  options: optionChoices,
  message: z.string(),
  /** Delivery or pickup, where the shop offers both. */
  fulfilment: z.enum(FULFILMENTS).default("delivery"),
  /** The idempotency key: the draft becomes one order however often it is sent. */
  orderKey: z.string().min(1),
  /** The earlier order that it was copied from, and its options that the shop no longer offers. */
  again: z
    .object({ number: z.string(), gone: z.array(z.object({ label: z.string(), name: z.string() })) })
    .optional(),
});
export type Draft = z.infer<typeof draft>;

export function emptyDraft(): Draft {
  return {
    files: [],
    pages: "all",
    copies: 1,
    options: {},
    message: "",
    fulfilment: "delivery",
    orderKey: randomKey(),
  };
}

/**
 * Changes the files of a draft. If files or ranges change while the number of pages is lowered, that number is
 * written into the ranges of the present files and becomes "all" again.
 */
export function changeFiles(
  { files, pages }: Draft,
  update: (files: readonly PrintFile[]) => PrintFile[],
): Pick<Draft, "files" | "pages"> {
  const changed = update(files);
  const earlier = (key: string) => files.find((file) => file.key === key);
  const isTyped = changed.some(({ key, ranges }) => earlier(key)?.ranges !== ranges);
  const isOther = changed.some(({ key, uploaded }) => earlier(key)?.uploaded?.id !== uploaded?.id);
  if (pages === "") return { files: changed, pages: isTyped ? "all" : "" };
  if (pages === "all" || !(isTyped || isOther)) return { files: changed, pages };
  return { files: update(keepLimits(files, pages)), pages: "all" };
}

export function draftName(userId: string, shopId: string): string {
  return `draft:${userId}:${shopId}`;
}

/** The stored draft; an empty one if there is none or it is invalid. */
export function parseDraft(text: string | null): Draft {
  return parseKept(text, draft) ?? emptyDraft();
}

/** The student's last choices at a shop; empty if there are none. */
export function parseChoices(text: string | null): OptionChoices {
  return parseKept(text, optionChoices) ?? {};
}

function parseKept<Schema extends z.ZodType>(text: string | null, schema: Schema): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text ?? "null")).data ?? null;
  } catch {
    return null;
  }
}
