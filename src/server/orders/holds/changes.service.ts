import type { Db } from "#db/database.ts";
import type { OrderLineTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { formatCount } from "#shared/format.ts";
import { CANCELLED_BY_STUDENT } from "#shared/holds.ts";
import { formatPaise, MAX_PAISE } from "#shared/money.ts";
import { mapKinds, OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import {
  agreedCounts,
  agreedJobs,
  countSides,
  grownJobText,
  type OrderJob,
  partNames,
} from "#shared/order-jobs.ts";
import { MAX_PAGES, MAX_RANGES } from "#shared/order-limits.ts";
import { isUnprinted } from "#shared/order-states.ts";
import { orderValueOf, type PricedOption, priceOrder, type Quote } from "#shared/pricing.ts";
import { countPrinted, countRanges, NO_PAGES, pagesText } from "#shared/print-pages.ts";
import type { AgreeChangesInput, HoldChangesInput, OpenHoldInput } from "#shared/schemas/holds.ts";
import { requireAccount } from "../../accounts/profile.service.ts";
import type { Context, SignedIn } from "../../context.ts";
import { AppError, fieldError } from "../../errors.ts";
import { deleteOrderFiles, replaceFiles, resolveOwnFiles } from "../../files/files.service.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { queueMail } from "../../mail/mail.service.ts";
import type { OptionRecord } from "../../shops/shops.queries.ts";
import { listOffered } from "../../shops/shops.service.ts";
import { countOrders } from "../../stats/stats.service.ts";
import { insertNote } from "../board/detail.queries.ts";
import { moveOrder } from "../board/moves.queries.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { mailedOrder, queueShopMail } from "../mail-content.ts";
import { findOrderLines, type OrderFileRow, type OrderRow, updateOrder } from "../orders.queries.ts";
import {
  agreedQuote,
  countCancelledOrder,
  countedOrder,
  findPrintedFiles,
  lineOf,
  linesByJob,
  lockOwnOrder,
  paidSince,
  requireOwnOrder,
} from "../orders.service.ts";
import { choosePages } from "../placement/chosen-pages.ts";
import { replaceOrderFiles, replaceOrderLines } from "../placement/placement.queries.ts";
import { idsOf, linesOf, printedTerms, printJobs, quoteColumns } from "../placement/placement.service.ts";
import { offerReprintAgain } from "../reprints/reprints.service.ts";
import { changedMail, holdReplyMail } from "./holds.mails.ts";
import { requireHold, resolveHold } from "./holds.service.ts";

/** What an order would cost after the changes, beside what was agreed. */
interface ChangedPrice {
  before: Quote;
  after: Quote;
  pages: number;
  /** The places of the order's jobs that still print something. */
  parts: number[];
  /** The changes in words: replaced files, new options, and what is printed differently because of them. */
  changes: string[];
}

/**
 * The price of these changes: what was agreed stays as it was agreed, and only a newly chosen option costs what the shop
 * charges today. Throws as `changeOrder` does, but for the price.
 */
export async function quoteChanges(ctx: Context<SignedIn>, input: HoldChangesInput): Promise<ChangedPrice> {
  const order = await requireOwnOrder(ctx.readDb, ctx, input.orderId);
  requireChangeable(order);
  const { before, after, pages, parts, changes } = await planOwnChanges(ctx.readDb, ctx, order, input);
  return { before, after, pages, parts, changes };
}

/**
 * Replaces files and options of one of the caller's orders that is on hold, at the new total that they have seen, and ends
 * the hold. Throws NOT_FOUND for somebody else's order, CONFLICT if the hold has ended or the order is printed, INVALID_INPUT
 * for a file or option that does not fit, and PRICE_CHANGED if the total is another one.
 */
export async function changeOrder(ctx: Context<SignedIn>, input: AgreeChangesInput): Promise<void> {
  await transact(ctx.db, (trx) => storeChanges(trx, ctx, input));
}

async function storeChanges(trx: Trx, ctx: Context<SignedIn>, input: AgreeChangesInput): Promise<void> {
  const { _id: by } = ctx.actor.user;
  await requireAccount(trx, by);
  const order = await lockOwnOrder(trx, ctx, input.orderId);
  await requireHold(trx, order, input);
  requireChangeable(order);
  const plan = await planOwnChanges(trx, ctx, order, input);
  const { after } = plan;
  if (after.totalPaise !== input.expectedTotalPaise) {
    throw new AppError("PRICE_CHANGED", `The new price of this order is ${formatPaise(after.totalPaise)}`, {
      data: { orderValue: orderValueOf(after) },
    });
  }
  const text = textOf(plan);
  const stored = await storePlan(trx, ctx, order, plan, `Changed by the student: ${text}`);
  const released = await resolveHold(trx, ctx, stored, "changed");
  // What lies at the printer is of before the change.
  const isPrintedAnew = order.state === "printing";
  const at = ctx.now().toISOString();
  const row = isPrintedAnew ? await moveOrder(trx, released, { to: "placed", at, by }) : released;
  const changed = mailedOrder(ctx, row);
  await queueMail(trx, ctx, changedMail(changed, "changed", text));
  await queueShopMail(trx, ctx, holdReplyMail(ctx, changed, { kind: "changed", text, isPrintedAnew }));
  await recordLiveEvent(trx, ctx, "held", row);
}

/**
 * Stores what is printed now and its price, with a note for staff. The caller must hold the order's row lock. Returns the
 * changed order.
 */
export async function storePlan(
  trx: Trx,
  { now, actor }: Pick<Context<SignedIn>, "now" | "actor">,
  order: OrderRow,
  { before, after, files, options, pages, jobs }: Plan,
  note: string,
): Promise<OrderRow> {
  const at = now().toISOString();
  const added = files.filter(({ oldId }) => oldId !== null);
  await replaceFiles(trx, {
    orderId: order.id,
    ownerId: order.user_id,
    at,
    added: added.map(({ id }) => id),
    removed: added.flatMap(({ oldId }) => oldId ?? []),
  });
  await replaceOrderFiles(trx, order.id, files);
  await replaceOrderLines(trx, order.id, linesOf(order.id, after, options.map(idsOf)));
  const paid_at = paidSince({ ...order, total_paise: after.totalPaise }, at);
  const changed = await updateOrder(trx, order, { pages, jobs, ...quoteColumns(after), paid_at });
  await insertNote(trx, {
    id: uuidv7(),
    order_id: order.id,
    by_user_id: actor.user._id,
    body: note,
    created_at: at,
  });
  await countOrders(trx, [countedOrder(order, before)], -1);
  await countOrders(trx, [countedOrder(changed, after)]);
  return changed;
}

function requireChangeable({ state, held_at, number }: OrderRow): void {
  if (held_at === null) throw new AppError("CONFLICT", `Order ${number} is not on hold any more`);
  if (isUnprinted(state)) return;
  throw new AppError("CONFLICT", `Order ${number} is printed already. Please answer the shop instead`);
}

/** A file of the changed order; `oldId` is the one that it replaces. */
interface PlannedFile {
  id: string;
  name: string;
  pages: number;
  pageRanges: string | null;
  oldId: string | null;
}

type PlannedOptions = Record<OptionKind, PricedOption & { id: string }>;

interface Plan extends ChangedPrice {
  files: PlannedFile[];
  /** As `OrderTable.jobs`. */
  jobs: string | null;
  /** The options of each job. */
  options: PlannedOptions[];
  /** The options that are not the agreed ones any more. */
  chosen: { job: number; kind: OptionKind }[];
}

/** Other files and options of an order. */
type Changes = Pick<HoldChangesInput, "files" | "options">;

/** What the student may change in their own order. */
async function planOwnChanges(
  db: Db | Trx,
  ctx: Context<SignedIn>,
  order: OrderRow,
  input: Changes,
): Promise<Plan> {
  const plan = await planChanges(db, ctx, order, input);
  const [first] = plan.chosen;
  if (order.reprint_of && first) {
    throw wrongOption(
      `${first.job}.${first.kind}`,
      "A free reprint keeps its options. Please answer the shop instead",
    );
  }
  return plan;
}

/** The order after these changes; of a reprint, which is free, another option is free too. Throws INVALID_INPUT for a file or option that does not fit. */
export async function planChanges(
  db: Db | Trx,
  ctx: Context<SignedIn>,
  order: OrderRow,
  input: Changes,
): Promise<Plan> {
  const lines = await findOrderLines(db, order.id);
  const present = await findPrintedFiles(db, order);
  const files = await planFiles(db, ctx, present, input);
  requirePages(order, files, countPrinted(present));
  const agreed = agreedJobs(order, present);
  const replanned = planJobs(agreed, files);
  requireFewRanges(replanned);
  const parts = [...replanned.keys()].filter((at) => countSides(files, replanned.slice(at, at + 1)) > 0);
  const { options: wished, chosen } = await planOptions(db, order, { lines, parts, wished: input.options });
  const changes = [
    ...files.flatMap(({ name, oldId }, at) =>
      oldId === null ? [] : `“${present[at]?.name}” is now “${name}”`,
    ),
    ...chosen.map(({ job, kind }) => {
      const ofPart = parts.length > 1 ? ` of part ${parts.indexOf(job) + 1}` : "";
      return `${OPTION_FIELDS[kind].label}${ofPart} is now ${wished[job]?.[kind].name}`;
    }),
    ...wholeTexts(agreed, wished, files),
  ];
  if (changes.length === 0)
    throw new AppError("INVALID_INPUT", "Please replace a file or choose another option");
  const grown = grownJobText({ files: present, jobs: agreed }, { files, jobs: replanned });
  if (order.reprint_of && grown !== null) {
    throw wrongReplacement(
      `${grown}. A free reprint has no more. Please choose fewer pages, or answer the shop`,
    );
  }
  const planned = parts.map((at) => ({
    at,
    job: replanned[at] as OrderJob,
    options: wished[at] as PlannedOptions,
  }));
  const jobs = planned.map(({ job }) => job);
  const options = planned.map(({ options: ofJob }) => ofJob);
  const toPrint = printJobs(files, planned);
  refuseMoreSides(order, replanned, planned);
  const { copies, fulfilment } = order;
  const after = priceOrder({ jobs: toPrint, copies, fulfilment });
  if (after.totalPaise > MAX_PAISE) {
    throw new AppError("INVALID_INPUT", "This order would be too large. Please choose fewer pages");
  }
  const before = agreedQuote(order, lines);
  return { before, after, ...printedTerms(files, jobs, after), files, options, parts, chosen, changes };
}

/**
 * Throws INVALID_INPUT where a part becomes two-sided that prints only some pages of a file: they were chosen for single sides,
 * and would end up back to back with pages that do not belong together.
 */
function refuseMoreSides(
  order: OrderRow,
  jobs: OrderJob[],
  planned: readonly { at: number; options: PlannedOptions }[],
): void {
  const agreed = agreedCounts(order);
  const part = planned.find(({ at, options: { printingSides } }) => {
    const { sides = printingSides.sides } = agreed[at] ?? {};
    return printingSides.sides > sides && hasDividedFile(jobs, at);
  });
  if (!part) return;
  throw wrongOption(
    `${part.at}.printingSides`,
    "The pages of a file are divided between the parts of this order, each for one side of a sheet. Please keep that",
  );
}

/** A reprint is free, and so not longer than what was agreed. */
function requirePages({ reprint_of }: OrderRow, files: PlannedFile[], agreed: number): void {
  const pages = countPrinted(files);
  if (pages === 0 || pages > MAX_PAGES)
    throw wrongReplacement("These files have no page to print, or too many");
  if (reprint_of && pages > agreed) {
    throw wrongReplacement(`A free reprint has at most ${pagesText(agreed)}, and these are ${pages}`);
  }
}

/** Throws INVALID_INPUT above the limits of a new order, because the board reads all of this each time. */
function requireFewRanges(jobs: OrderJob[]): void {
  if (countRanges(jobs.flatMap(({ pageRanges }) => pageRanges.map((text) => text ?? ""))) <= MAX_RANGES)
    return;
  throw wrongReplacement(
    `At most ${formatCount(MAX_RANGES)} ranges of pages fit in one order. Please choose fewer`,
  );
}

/** The jobs with the new files: what replaces a file is printed completely by the first job that prints the file. */
function planJobs(jobs: OrderJob[], files: PlannedFile[]): OrderJob[] {
  const planned = jobs.map((job) => ({ ...job, pageRanges: [...job.pageRanges] }));
  for (const [at, { oldId, pageRanges }] of files.entries()) {
    if (oldId === null) continue;
    const [first = 0] = printingJobs(jobs, at);
    for (const [place, job] of planned.entries())
      job.pageRanges[at] = place === first ? pageRanges : NO_PAGES;
  }
  return planned;
}

/** Whether a job prints a file that another one prints too. */
function hasDividedFile(jobs: OrderJob[], job: number): boolean {
  const { pageRanges = [] } = jobs[job] ?? {};
  return pageRanges.some((_, file) => {
    const printing = printingJobs(jobs, file);
    return printing.length > 1 && printing.includes(job);
  });
}

/** The places of the jobs that print the file at this place. */
function printingJobs(jobs: OrderJob[], file: number): number[] {
  return [...jobs.keys()].filter((at) => jobs[at]?.pageRanges[file] !== NO_PAGES);
}

/** Which new files are printed by one job where several printed the file before. */
function wholeTexts(jobs: OrderJob[], options: PlannedOptions[], files: PlannedFile[]): string[] {
  const lines = options.map((ofJob) => OPTION_KINDS.map((kind) => ({ kind, name: ofJob[kind].name })));
  const names = partNames(jobs, lines);
  return files.flatMap(({ name, oldId }, at) => {
    const [first = 0, ...others] = printingJobs(jobs, at);
    if (oldId === null || others.length === 0) return [];
    const same = ["is printed the same", names[first]].filter(Boolean).join(": ");
    return [`All of “${name}” ${same}`];
  });
}

async function planFiles(
  db: Db | Trx,
  ctx: Context<SignedIn>,
  present: OrderFileRow[],
  { files: replaced }: Changes,
): Promise<PlannedFile[]> {
  const urls = replaced.map(({ fileUrl }) => fileUrl);
  const own = urls.length > 0 ? await resolveOwnFiles(ctx, db, urls) : [];
  const wishes = own.flatMap(({ id }, index) => {
    const pages = replaced[index]?.pages;
    return pages === undefined ? [] : [{ public_id: id, pages }];
  });
  const added = choosePages(own, wishes);
  if (new Set(replaced.map(({ fileId }) => fileId)).size < replaced.length) {
    throw wrongReplacement("A file is replaced twice");
  }
  for (const { fileId } of replaced) {
    if (!present.some((file) => file.id === fileId))
      throw wrongReplacement("This file is not in the order any more");
  }
  return present.map(({ id, name, pages, pageRanges }) => {
    const file = added[replaced.findIndex(({ fileId }) => fileId === id)];
    if (!file) return { id, name, pages, pageRanges, oldId: null };
    return {
      id: file.id,
      name: file.originalFilename,
      pages: file.pages,
      pageRanges: file.pageRanges,
      oldId: id,
    };
  });
}

function wrongReplacement(message: string): AppError {
  return fieldError("files", message);
}

/** Ignores options for a job that prints nothing any more and so is not in `parts`. */
async function planOptions(
  db: Db | Trx,
  order: OrderRow,
  { lines, parts, wished }: { lines: OrderLineTable[]; parts: number[]; wished: Changes["options"] },
): Promise<Pick<Plan, "options" | "chosen">> {
  const agreed = linesByJob(order, lines);
  if (wished.length > agreed.length) throw wrongOption(`${agreed.length}`, "The order has no such part");
  const isAnyWished = wished.some((ofJob) => Object.keys(ofJob).length > 0);
  const offered = isAnyWished ? await listOffered(db, order.shop_id) : [];
  const chosen: Plan["chosen"] = [];
  const options = agreedCounts(order).map(({ sides }, job) => {
    return mapKinds((kind) => {
      const { option_id, name, unit_paise: pricePaise, basis } = lineOf(agreed[job] ?? [], kind);
      const id = parts.includes(job) ? wished[job]?.[kind] : undefined;
      if (id === undefined || id === option_id) return { id: option_id, name, pricePaise, basis, sides };
      const option = requireOffered(offered, { job, kind, id });
      chosen.push({ job, kind });
      return order.reprint_of ? { ...option, pricePaise: 0 } : option;
    });
  });
  return { options, chosen };
}

function requireOffered(
  offered: readonly OptionRecord[],
  { job, kind, id }: { job: number; kind: OptionKind; id: string },
): OptionRecord {
  const option = offered.find((each) => each.kind === kind && each.id === id);
  const label = OPTION_FIELDS[kind].label.toLowerCase();
  const place = `${job}.${kind}`;
  if (!option) throw wrongOption(place, `This is not offered as ${label} any more. Please choose again`);
  if (option.isOut)
    throw wrongOption(place, `The shop has run out of “${option.name}” too. Please choose another one`);
  return option;
}

function wrongOption(place: string, message: string): AppError {
  return fieldError(`options.${place}`, message);
}

/** The changes and the price in a line. */
export function textOf({ changes, before, after, pages }: Plan): string {
  const price = before.totalPaise === after.totalPaise ? "" : ` instead of ${formatPaise(before.totalPaise)}`;
  return `${changes.join(". ")}. ${pagesText(pages)}, ${formatPaise(after.totalPaise)}${price}`;
}

/**
 * Cancels one of the caller's orders that is on hold and not printed; what was paid is then to be given back. Throws
 * NOT_FOUND for somebody else's order, and CONFLICT if the hold has ended or the order is printed.
 */
export async function cancelHeldOrder(ctx: Context<SignedIn>, input: OpenHoldInput): Promise<void> {
  await transact(ctx.db, (trx) => storeCancellation(trx, ctx, input));
}

async function storeCancellation(trx: Trx, ctx: Context<SignedIn>, input: OpenHoldInput): Promise<void> {
  const { _id: by } = ctx.actor.user;
  const at = ctx.now().toISOString();
  await requireAccount(trx, by);
  const held = await lockOwnOrder(trx, ctx, input.orderId);
  await requireHold(trx, held, input);
  requireChangeable(held);
  const { forShop: reason, forStudent } = CANCELLED_BY_STUDENT;
  const order = await moveOrder(trx, held, { to: "cancelled", at, by, reason });
  await deleteOrderFiles(trx, { orderId: order.id, by, at });
  await countCancelledOrder(trx, order);
  await offerReprintAgain(trx, ctx, order);
  const mailed = mailedOrder(ctx, order);
  await queueMail(trx, ctx, changedMail(mailed, "cancelled", forStudent));
  await queueShopMail(trx, ctx, holdReplyMail(ctx, mailed, { kind: "cancelled", text: reason }));
  await recordLiveEvent(trx, ctx, "moved", order);
}
