import { rm, writeFile } from "node:fs/promises";
import { addressLine, counted, formatCount } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS, type OptionKind } from "#shared/options.ts";
import {
  areFilesDivided,
  countSides,
  type Fact,
  filesOfJob,
  layoutText,
  type OrderJob,
  partFacts,
} from "#shared/order-jobs.ts";
import { flipText, otherSizes, paperOf, type SizedPages, type Sizes, sheetOf } from "#shared/paper-sizes.ts";
import { PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import type { JobQuote } from "#shared/pricing.ts";
import { chosenPagesText, countPrintedOfEach, NO_PAGES } from "#shared/print-pages.ts";
import type { Context, Deps } from "../context.ts";
import { AppError, loginRequired } from "../errors.ts";
import type { PlacedLayout } from "../files/pdf/page-layout.ts";
import {
  addPrintedPages,
  addRepeatedly,
  makePrintCopy,
  type PrintCopy,
  printingAccount,
} from "../files/pdf/print-copies.service.ts";
import { getOrder, type StaffOrder } from "../orders/board/board.service.ts";
import { asStaff } from "../staff/access.service.ts";
import type { SheetContent } from "./sheets.service.ts";
import type { Separator, Ticket } from "./ticket.ts";

/** Bounds of a pack of several orders: what one request may take. A larger order is printed by itself. */
const MAX_PACK_ORDERS = 30;
const MAX_PACK_PAGES = 2000;
/** The options that are set at the printer: all orders of a pack must agree in them. */
const PRINTER_OPTIONS: OptionKind[] = ["printedColours", "printingSides", "paperTypes", "paperSizes"];

/**
 * The orders for staff who print them together, by their ids joined by commas. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND for
 * an order of another shop, CONFLICT or GONE with the ids of those that are on hold or cancelled or whose files are deleted,
 * INVALID_INPUT for orders that cannot be printed as one, and UNREADABLE_FILE where the files give other pages than were billed.
 */
export async function findPrintableOrders(
  ctx: Context,
  { ids, part, sizes }: { ids: string; part?: number | undefined; sizes: Sizes },
): Promise<PackedOrder[]> {
  const { actor } = ctx;
  if (actor.kind !== "user") throw loginRequired();
  const staff = { ...ctx, actor: await asStaff(ctx, actor.user) };
  const orderIds = [...new Set(ids.split(","))];
  if (orderIds.length > MAX_PACK_ORDERS) {
    throw new AppError("INVALID_INPUT", `At most ${MAX_PACK_ORDERS} orders can be printed as one pack`);
  }
  const orders: StaffOrder[] = [];
  for (const orderId of orderIds) orders.push(await getOrder(staff, { orderId }));
  requirePrintable(orders);
  requireOnePrint(orders);
  for (const order of orders) requireAsBilled(ctx, order);
  return orders.map((order) => packedOrder(order, partOf(order, part), sizes));
}

/** An order and which of its jobs is printed: jobs differ in what is set at the printer, so each has a pack of its own. */
export interface PackedOrder {
  order: StaffOrder;
  /** From 0. */
  part: number;
  job: OrderJob;
  quoted: JobQuote;
  /** Whether pages of another size than the paper are fitted to it. */
  sizes: Sizes;
}

function packedOrder(order: StaffOrder, part: number, sizes: Sizes): PackedOrder {
  const [job, quoted] = [order.jobs[part], order.quote.jobs[part]];
  if (!job || !quoted) throw new Error("the order has no such job");
  return { order, part, job, quoted, sizes };
}

/** @param wished from 1 */
function partOf({ number, jobs }: StaffOrder, wished: number | undefined): number {
  if (wished === undefined && jobs.length === 1) return 0;
  if (wished !== undefined && wished <= jobs.length) return wished - 1;
  throw new AppError(
    "INVALID_INPUT",
    wished === undefined
      ? `Order ${number} has ${jobs.length} parts with different printer settings. Open it and print each part by itself`
      : `Order ${number} has only ${counted(jobs.length, "part")}`,
  );
}

function requirePrintable(orders: StaffOrder[]): void {
  const refused = orders.filter((order) => whyNotPrintable(order) !== null);
  if (refused.length === 0) return;
  const code = refused.every(({ heldAt }) => heldAt) ? "CONFLICT" : "GONE";
  throw new AppError(code, refused.map(whyNotPrintable).join(". "), {
    data: { orderIds: refused.map(({ id }) => id) },
  });
}

function whyNotPrintable({ number, state, heldAt, files }: StaffOrder): string | null {
  if (state === "cancelled") return `Order ${number} is cancelled`;
  if (heldAt !== null) return `Order ${number} is on hold: release it before you print it`;
  if (files.some(({ deletedAt }) => deletedAt)) {
    return `The files of order ${number} have been deleted. They cannot be printed again`;
  }
  return null;
}

/** Copying adds exactly the pages of a file that are to be printed, or fails, so only the records can differ from the bill. */
function requireAsBilled({ log, requestId }: Context, { id, number, pages, files, jobs }: StaffOrder): void {
  const count = countSides(files, jobs);
  if (count === pages) return;
  log.error(
    { orderId: id, billed: pages, count, requestId },
    "a print pack would differ from what was billed",
  );
  throw new AppError(
    "UNREADABLE_FILE",
    `Order ${number} was billed ${pages} pages, but its files give ${count}. It is not printed. Please ask the student`,
    { data: { orderIds: [id] } },
  );
}

/** A pack of several orders is printed once, with the same settings for all of it. */
function requireOnePrint(orders: StaffOrder[]): void {
  const [first] = orders;
  if (!first || orders.length === 1) return;
  const divided = orders.find(({ jobs }) => jobs.length > 1);
  if (divided) partOf(divided, undefined);
  const other = orders.find((order) => printerSettings(order) !== printerSettings(first));
  if (other) {
    throw new AppError(
      "INVALID_INPUT",
      `These orders need different printer settings: ${first.number} is ${printerSettings(first)}, ${other.number} is ${printerSettings(other)}. Print them separately`,
    );
  }
  if (orders.reduce((sum, { pages, copies }) => sum + pages * copies, 0) > MAX_PACK_PAGES) {
    throw new AppError(
      "INVALID_INPUT",
      `Together these orders have more than ${formatCount(MAX_PACK_PAGES)} pages. Choose fewer`,
    );
  }
}

/** The options that are set at the printer and, where both sides are printed, how the sheets are turned over. */
function printerSettings({ files, jobs, quote }: StaffOrder): string {
  const names = quote.jobs.flatMap(({ lines, sides }, at) => {
    const job = jobs[at];
    return [
      ...lines.flatMap(({ kind, name }) => (PRINTER_OPTIONS.includes(kind) ? name : [])),
      ...(job && sides === 2 ? [turning(filesOfJob(files, job), job)] : []),
    ];
  });
  return names.join(", ");
}

function turning(files: readonly SizedPages[], job: PlacedLayout): string {
  const text = job.isBooklet ? "flip on short edge" : flipText(files, job);
  return text?.toLowerCase() ?? "flip on long edge";
}

/** Where pages are added: a PDF of `before` pages. */
interface PackPlace {
  target: string;
  before: number;
  signal: AbortSignal;
}

/**
 * Creates the print pack of orders, or of one part of an order: one PDF with a ticket and the pages to print of every file, in
 * order, with sheets between them where the shop wants that. Two-sided, each file begins on a fresh sheet. The pages of a single
 * order are in it once, and the printer makes its copies; of several orders each has its own number of copies in it.
 * It is sent only once it is complete; the work ends when `signal` aborts.
 */
export function makePack(ctx: Context, orders: PackedOrder[], signal: AbortSignal): Promise<PrintCopy> {
  return makePrintCopy(ctx, async (target) => {
    let before = 0;
    for (const packed of orders) {
      const hasCopies = orders.length > 1;
      const ticket = ticketOf(ctx, packed, { hasCopies });
      before = await addSheet(ctx, { ticket }, { target, before, signal });
      const add = hasCopies ? addCopies : addPages;
      before = await add(ctx, packed, { target, before, signal });
    }
  });
}

/** Adds all copies of an order among others. They are made of one: added one by one, 600 took minutes. */
async function addCopies(
  ctx: Context,
  packed: PackedOrder,
  { target, before, signal }: PackPlace,
): Promise<number> {
  const { order, quoted } = packed;
  const { copies } = order;
  const path = copies > 1 ? `${target}.order` : target;
  let pages = await addPages(ctx, packed, { target: path, before: copies > 1 ? 0 : before, signal });
  // The next copy or ticket must not be printed on the back of this one.
  if (quoted.sides === 2 && pages % 2 === 1) {
    pages = await addSheet(ctx, { blank: order.number }, { target: path, before: pages, signal });
  }
  if (copies === 1) return pages;
  const count = await addRepeatedly(ctx, { path, pages, times: copies }, { target, before, signal });
  await rm(path);
  return count;
}

/** Adds the pages to print of an order's files. */
async function addPages(
  ctx: Context,
  { order, job, quoted, sizes }: PackedOrder,
  { before, ...place }: PackPlace,
): Promise<number> {
  const separators = separatorsOf(order, job, quoted.sides);
  let count = before;
  for (const [at, file] of filesOfJob(order.files, job).entries()) {
    const separator = separators[at];
    if (separator) count = await addSheet(ctx, { separator }, { ...place, before: count });
    const layout = { ...job, sheet: sheetFor(file, { job, quoted, sizes }) };
    count = await addPrintedPages(ctx, file, {
      ...place,
      before: count,
      sides: quoted.sides,
      layout,
    }).catch((error: unknown) => {
      throw withOrder(error, order, file);
    });
  }
  return count;
}

/** An error about a file, with its order: a clerk who prints several can leave that one out. */
function withOrder(error: unknown, { id, number }: StaffOrder, { name }: { name: string }): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message } = error;
  if (code !== "NOT_FOUND" && code !== "UNREADABLE_FILE") return error;
  const what =
    code === "NOT_FOUND" ? `“${name}” is not here any more. Ask the student for it again` : message;
  return new AppError(code, `Order ${number}: ${what}`, { data: { orderIds: [id] }, cause: error });
}

/** The sheet that the pages of a file are placed on; undefined where they are printed as large as they are. */
function sheetFor(
  file: SizedPages,
  { job, quoted, sizes }: { job: PlacedLayout; quoted: JobQuote; sizes: Sizes },
): PlacedLayout["sheet"] {
  const paper = paperOf(quoted.lines);
  if (!paper) return undefined;
  const isPlaced = job.pagesPerSide > 1 || (sizes === "fit" && otherSizes(file, paper).length > 0);
  return isPlaced ? sheetOf(paper) : undefined;
}

async function addSheet(
  ctx: Context,
  content: SheetContent,
  { target, before, signal }: PackPlace,
): Promise<number> {
  const client = { account: printingAccount(ctx), signal };
  const drawn = await ctx.sheets.draw(content, client);
  if (!drawn) throw notDrawn();
  const path = before === 0 ? target : `${target}.ticket`;
  await writeFile(path, drawn.bytes);
  if (before === 0) return drawn.pages;
  const pages = Array.from({ length: drawn.pages }, (_, page) => page);
  const onFreshSheet = "separator" in content && content.separator.isTwoSided;
  const blanks = onFreshSheet ? before % 2 : 0;
  const count = await ctx.printCopies.add({ path, pages, target, onFreshSheet }, client);
  if (count !== before + blanks + drawn.pages) throw notDrawn();
  return count;
}

function notDrawn(): AppError {
  return new AppError("UNAVAILABLE", "The ticket could not be drawn just now. Please try again");
}

/**
 * The ticket of one of the order's jobs; that of a part says which pages are printed elsewhere, so that all is put together.
 * @param pack `hasCopies`: whether all copies are in it
 */
function ticketOf(
  deps: Pick<Deps, "publicUrl">,
  { order, part, job, quoted }: PackedOrder,
  { hasCopies }: { hasCopies: boolean },
): Ticket {
  const { id, number, shop, student, copies, files } = order;
  const isDivided = order.jobs.length > 1;
  const printed = isDivided
    ? filesOfJob(files, job).filter(({ pageRanges }) => pageRanges !== NO_PAGES)
    : files;
  const layout = layoutText(job);
  const separators = separatorsOf(order, job, quoted.sides).filter(Boolean).length;
  const setCopies = hasCopies ? `1: all ${formatCount(copies)} are here` : formatCount(copies);
  const flip = quoted.sides === 2 ? flipText(filesOfJob(files, job), job) : null;
  return {
    number,
    link: `${deps.publicUrl()}/admin/orders?order=${id}`,
    shop: shop.name,
    placed: indianTime(order.placedAt),
    student: student.fullName,
    phone: student.phone,
    counts: [
      ...(isDivided ? [{ label: "Part", value: `${part + 1} of ${order.jobs.length}` }] : []),
      { label: "Copies", value: formatCount(copies) },
      { label: "Pages", value: formatCount(quoted.pages) },
      { label: "Sheets", value: formatCount(quoted.sheets) },
    ],
    options: [
      ...quoted.lines.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name })),
      ...(flip ? [{ label: "Turn over", value: flip }] : []),
      ...(copies > 1 ? [{ label: "Set copies to", value: setCopies }] : []),
      // The pages are in place in the pack already, so the printer must not place them once more.
      ...(layout ? [{ label: "Pages, as placed in this pack", value: layout }] : []),
    ],
    message: order.message,
    files: printed.map((file) => ({ name: file.name, pages: chosenPagesText(file) })),
    facts: [
      ...(order.reprintOf ? [{ label: "Reprint of", value: `Order ${order.reprintOf}, at no charge` }] : []),
      ...deliveryFacts(order),
      ...otherParts(order, part),
      ...(separators > 0
        ? [{ label: "Not counted", value: `+ ${counted(separators, "separator sheet")} between the files` }]
        : []),
      { label: "Total", value: formatPaise(order.totalPaise) },
      { label: "Payment", value: PAYMENT_NAMES[paymentStatus(order)] },
    ],
    isTwoSided: quoted.sides === 2,
  };
}

/** What is printed with other settings, maybe on another printer, and belongs to this. */
function otherParts(order: StaffOrder, part: number): Fact[] {
  const others = partFacts(order).filter((_, at) => at !== part);
  if (others.length === 0) return [];
  return [
    ...others,
    {
      label: "Put together",
      value: areFilesDivided(order.jobs)
        ? "Lay the parts together in the order of the files and their pages"
        : "Each file is whole in one part",
    },
  ];
}

function deliveryFacts({ address, fulfilment }: StaffOrder): Fact[] {
  if (fulfilment === "counter") return [{ label: "At the counter", value: "The person waits for it" }];
  if (fulfilment === "pickup") return [{ label: "Pickup", value: "The student comes to the shop" }];
  return address ? [{ label: "Deliver to", value: addressLine(address) }] : [];
}

/**
 * The sheet before each file of a job, where the shop wants them: none before the first that is printed, and none before a file
 * that is not.
 */
function separatorsOf(
  { shop, number, files }: StaffOrder,
  job: OrderJob,
  sides: number,
): (Separator | null)[] {
  const counts = countPrintedOfEach(filesOfJob(files, job));
  const printed = counts.filter((count) => count > 0).length;
  return files.map(({ name }, at) => {
    const before = counts.slice(0, at).filter((count) => count > 0).length;
    if (!shop.separatesFiles || before === 0 || counts[at] === 0) return null;
    return { number, place: `File ${before + 1} of ${printed}`, name, isTwoSided: sides === 2 };
  });
}
