import { OPTION_KINDS } from "#shared/options.ts";
import { PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import { MAX_COPIES, MAX_PAGES } from "#shared/order-limits.ts";
import { CHOSEN_FULFILMENTS, type ChosenFulfilment } from "#shared/order-states.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { PAGES_PER_SIDE, type SheetLayout } from "#shared/sheet-layout.ts";
import { randomKey } from "#ui/random-key.ts";
import { keepLimits, type OptionChoices, type PrintFile, VERDICTS } from "../files/print-file.ts";

/** A job as it is sent beside the order data. The first has only its layout: it prints what the others leave. */
export type JobWish = SheetLayout &
  Pick<NonNullable<PlaceOrderRequest["jobs"]>[number], "pageRanges" | "options">;

/** An order in preparation at one shop, as stored in the browser. */
export interface Draft {
  files: PrintFile[];
  /** "all": all chosen pages; a number: only the first ones; "": the field is empty. */
  pages: "all" | "" | number;
  copies: "" | number;
  options: OptionChoices;
  layout: SheetLayout;
  /** Whether only pages with colour are printed in colour, where the check of the files allows that choice. */
  isColourApart?: boolean | undefined;
  /** The jobs as they were agreed when the student went on to the checkout. */
  jobs?: JobWish[] | undefined;
  message: string;
  /** Delivery or pickup, where the shop offers both. */
  fulfilment: ChosenFulfilment;
  /** The address of the order that it was copied from; one that the student has entered comes before it. */
  address?: DeliveryAddress | undefined;
  /** The idempotency key: the draft becomes one order however often it is sent. */
  orderKey: string;
  /** The earlier order that it was copied from, its options that are gone, and those that some files had alone. */
  again?: { number: string; gone: { label: string; name: string }[]; parts?: string[] } | undefined;
}

export function emptyDraft(): Draft {
  return {
    files: [],
    pages: "all",
    copies: 1,
    options: {},
    layout: PLAIN_LAYOUT,
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

/** Named when only reprints had such drafts; browsers still store some. */
const PLACED = "reprint-";

/**
 * Takes the place of the shop in the name of a draft that holds files for a placed order: with the order's id for its
 * reprint, with the hold's id for files that replace others while it is on hold.
 */
export function placedDraft(id: string): string {
  return `${PLACED}${id}`;
}

/** The stored draft; an empty one if there is none or it is invalid. */
export function parseDraft(stored: unknown): Draft {
  // A draft that was stored before there were layouts, or booklets, says nothing of them.
  const draft = isRecord(stored)
    ? { ...stored, layout: { ...PLAIN_LAYOUT, ...(isRecord(stored.layout) ? stored.layout : {}) } }
    : stored;
  return isDraft(draft) ? draft : emptyDraft();
}

/** The student's last choices at a shop; empty if there are none. */
export function parseChoices(stored: unknown): OptionChoices {
  return isOptionChoices(stored) ? stored : {};
}

// Checked by hand, as only this store writes it: zod would be a tenth of what the page loads on a phone.

function isDraft(value: unknown): value is Draft {
  if (!isRecord(value)) return false;
  const { files, pages, copies, options, layout, isColourApart, jobs, message } = value;
  const { fulfilment, address, orderKey, again } = value;
  return (
    Array.isArray(files) &&
    files.every(isPrintFile) &&
    (pages === "all" || pages === "" || isCount(pages, MAX_PAGES)) &&
    (copies === "" || isCount(copies, MAX_COPIES)) &&
    isOptionChoices(options) &&
    isLayout(layout) &&
    (isColourApart === undefined || typeof isColourApart === "boolean") &&
    (jobs === undefined || (Array.isArray(jobs) && jobs.length > 0 && jobs.every(isJob))) &&
    typeof message === "string" &&
    CHOSEN_FULFILMENTS.some((known) => known === fulfilment) &&
    (address === undefined || isAddress(address)) &&
    typeof orderKey === "string" &&
    orderKey !== "" &&
    (again === undefined || isAgain(again))
  );
}

function isPrintFile(value: unknown): value is PrintFile {
  if (!isRecord(value)) return false;
  const { key, name, bytes, uploaded, isApproved, refusal, verdict, chosenAt } = value;
  const { arePhotos, replaces, ranges, own } = value;
  return (
    typeof key === "string" &&
    typeof name === "string" &&
    typeof bytes === "number" &&
    (uploaded === null || isUploaded(uploaded)) &&
    (isApproved === undefined || typeof isApproved === "boolean") &&
    (arePhotos === undefined || typeof arePhotos === "boolean") &&
    (chosenAt === undefined || typeof chosenAt === "number") &&
    [refusal, replaces, ranges].every(isOptionalText) &&
    (verdict === undefined || VERDICTS.some((known) => known === verdict)) &&
    (own === undefined || isOwnPrinting(own))
  );
}

function isOwnPrinting(value: unknown): boolean {
  return (
    isRecord(value) &&
    isOptionChoices(value.options) &&
    (value.layout === undefined || isLayout(value.layout))
  );
}

function isUploaded(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    typeof value.id === "string" &&
    typeof value.url === "string" &&
    Number.isSafeInteger(value.pages) &&
    [value.name, value.convertedFrom].every(isOptionalText)
  );
}

function isOptionChoices(value: unknown): value is OptionChoices {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([kind, id]) => OPTION_KINDS.some((known) => known === kind) && typeof id === "string",
    )
  );
}

function isLayout(value: unknown): boolean {
  return (
    isRecord(value) &&
    PAGES_PER_SIDE.some((known) => known === value.pagesPerSide) &&
    typeof value.hasFrames === "boolean" &&
    typeof value.isBooklet === "boolean" &&
    (value.readsDown === undefined || typeof value.readsDown === "boolean")
  );
}

function isJob(value: unknown): boolean {
  if (!isRecord(value) || !isLayout(value)) return false;
  const { pageRanges = [], options = {} } = value;
  return (
    Array.isArray(pageRanges) &&
    pageRanges.every(
      (file) => isRecord(file) && typeof file.public_id === "string" && typeof file.pages === "string",
    ) &&
    isRecord(options) &&
    Object.values(options).every((name) => typeof name === "string")
  );
}

function isAddress(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.country, value.roadNo, value.flatno, value.fullname].every((text) => typeof text === "string")
  );
}

function isAgain(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.number === "string" &&
    (value.parts === undefined || isTexts(value.parts)) &&
    Array.isArray(value.gone) &&
    value.gone.every(
      (option) => isRecord(option) && typeof option.label === "string" && typeof option.name === "string",
    )
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

function isCount(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max;
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
