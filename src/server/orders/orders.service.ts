import type { Db } from "#db/database.ts";
import type {
  InvoiceTable,
  OrderHistoryTable,
  OrderHoldTable,
  OrderLineTable,
  OrderTable,
  PaymentTable,
} from "#db/schema.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { invoiceNumber } from "#shared/gst.ts";
import { CANCELLED_BY_STUDENT, type Hold } from "#shared/holds.ts";
import { toRupees } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { agreedCounts, agreedFiles, agreedJobs, type OrderJob } from "#shared/order-jobs.ts";
import { awaitsPickup } from "#shared/order-states.ts";
import type { OrderMoney, PayableOrder } from "#shared/payment.ts";
import { orderValueOf, type PriceLine, type Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { RateInput } from "#shared/schemas/orders.ts";
import type { ListCursor, ListPage } from "#shared/schemas/paging.ts";
import type { Context, Deps, SignedIn, StaffMember, Uploader } from "../context.ts";
import { AppError } from "../errors.ts";
import { PAGE_QUERY_ROWS, toPage } from "../lib/paging.ts";
import { countRating } from "../shops/shops.service.ts";
import type { CountedOrder } from "../stats/stats.queries.ts";
import { countCancelled } from "../stats/stats.service.ts";
import { deleteNotesAbout } from "./board/detail.queries.ts";
import { reindexStudent } from "./board/search-words.ts";
import { deleteHoldsOf, findHoldsOf, findOpenHold, type HoldRecord } from "./holds/holds.queries.ts";
import {
  blankOrders,
  findCancelReasons,
  findFileStatuses,
  findFirstFileNames,
  findHistoryOf,
  findLinesOf,
  findOpenOrders,
  findOrder,
  findOrderedFilesOf,
  findOrderFiles,
  findOrderHistory,
  findOrderLines,
  findOrdersOf,
  findOwnOrders,
  type HistoryEntry,
  type OrderedFile,
  type OrderFileRow,
  type OrderFileStatus,
  type OrderRow,
  type OwnOrderListing,
  updateOrder,
} from "./orders.queries.ts";
import { findInvoicesOf } from "./payments/invoices.queries.ts";
import { findPaymentsOf } from "./payments/payments.queries.ts";

/** One of the caller's own orders. Throws NOT_FOUND for any other. */
export async function requireOwnOrder(
  db: Db | Trx,
  { actor }: Pick<Context<SignedIn>, "actor">,
  orderId: string,
): Promise<OrderRow> {
  const order = await findOrder(db, { id: orderId, userId: actor.user._id });
  if (!order) throw orderNotFound();
  return order;
}

/** An order of the caller's shops. Throws NOT_FOUND for any other. */
export async function requireShopOrder(
  db: Db | Trx,
  { actor }: Pick<Context<StaffMember>, "actor">,
  orderId: string,
): Promise<OrderRow> {
  const order = await findOrder(db, { id: orderId, shops: actor.shops });
  if (!order) throw orderNotFound();
  return order;
}

/** The same locked until the transaction ends, so that nobody changes what is decided by it. */
export async function lockShopOrder(
  trx: Trx,
  ctx: Pick<Context<StaffMember>, "actor">,
  orderId: string,
): Promise<OrderRow> {
  await lockRow(trx, "orders", orderId);
  return requireShopOrder(trx, ctx, orderId);
}

/** The same of one of the caller's own orders. */
export async function lockOwnOrder(
  trx: Trx,
  ctx: Pick<Context<SignedIn>, "actor">,
  orderId: string,
): Promise<OrderRow> {
  await lockRow(trx, "orders", orderId);
  return requireOwnOrder(trx, ctx, orderId);
}

function orderNotFound(): AppError {
  return new AppError("NOT_FOUND", "This order was not found");
}

/** The result for one of several orders that were to be changed. */
export type OrderResult<Done> = (Done & { ok: true }) | { orderId: string; ok: false; message: string };

/** Changes several orders in turn. `change` has a transaction for each, so that a refusal does not affect the others. */
export async function changeEach<Order extends { orderId: string }, Done>(
  orders: readonly Order[],
  change: (order: Order) => Promise<Done>,
): Promise<OrderResult<Done>[]> {
  const results: OrderResult<Done>[] = [];
  for (const order of orders) {
    try {
      results.push({ ok: true, ...(await change(order)) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ ok: false, orderId: order.orderId, message: error.message });
    }
  }
  return results;
}

export interface OwnOrderRow extends OwnOrderListing {
  /** Why the shop cancelled it. */
  cancelReason: string | null;
  files: FileStatus;
  /** The names of its first files. */
  fileNames: string[];
}

/** Names of files in each row of the list. */
const FILE_NAMES_LISTED = 2;

/** One page of the user's or visitor's own orders, newest first, with the names and the status of their files. */
export async function listOwnOrders(
  { readDb, actor }: Context<Uploader>,
  { cursor }: { cursor?: ListCursor | null | undefined } = {},
): Promise<ListPage<OwnOrderRow>> {
  const range = { after: cursor ?? undefined, limit: PAGE_QUERY_ROWS };
  const page = toPage(await findOwnOrders(readDb, actor.user._id, range));
  const ids = page.rows.map(({ id }) => id);
  const reasons = await findCancelReasons(readDb, ids);
  const files = await findFileStatuses(readDb, ids);
  const names = await findFirstFileNames(readDb, { orderIds: ids, limit: FILE_NAMES_LISTED });
  const rows = page.rows.map((order) => ({
    ...order,
    fileNames: names.get(order.id) ?? [],
    cancelReason: reasonForStudent(reasons.get(order.id)),
    files: fileStatusOf(files.get(order.id), order.filesDeleteAt),
  }));
  return { ...page, rows };
}

/** An order as the student's screens and mails show it. */
export interface OwnOrder extends PayableOrder {
  id: string;
  number: string;
  /** The pickup code; null unless the order is ready for pickup. */
  pickupCode: string | null;
  placedAt: string;
  /** By when the shop promised to have it printed; null if it promised nothing. */
  promisedAt: string | null;
  shop: { id: string; name: string; location: string; email: string; contactNumber: string };
  /** Null where none was given. */
  address: DeliveryAddress | null;
  message: string;
  pages: number;
  copies: number;
  /** Since when it is paid in full. */
  paidAt: string | null;
  /** The rating; null until the student gives one. */
  stars: number | null;
}

export function toOwnOrder(order: OrderTable & Pick<OrderRow, "upiId">): OwnOrder {
  return {
    ...moneyOf(order),
    id: order.id,
    number: order.number,
    fulfilment: order.fulfilment,
    pickupCode: awaitsPickup(order) ? order.pickup_code : null,
    placedAt: order.created_at,
    promisedAt: order.promised_at,
    shop: { id: order.shop_id, ...agreedShop(order) },
    address: agreedAddress(order),
    message: order.message,
    pages: order.pages,
    copies: order.copies,
    paidAt: order.paid_at,
    stars: order.stars,
    upiId: order.upiId,
  };
}

/** An order with the details of its own page. */
export interface OwnOrderDetail extends OwnOrder {
  /** Ids of the chosen options of each job. */
  options: Partial<Record<OptionKind, string>>[];
  /** The agreed price. */
  quote: Quote;
  jobs: OrderJob[];
  files: OwnFile[];
  fileStatus: FileStatus;
  /** The states that it has reached, oldest first. A state appears twice after a move back. */
  reached: Pick<HistoryEntry, "state" | "at">[];
  /** Why it was cancelled. */
  cancelReason: string | null;
  /** What is wrong with it, while it is on hold. */
  hold: Hold | null;
  /** Whether it is the free reprint of another order. */
  isReprint: boolean;
}

type OwnFile = Pick<OrderFileRow, "id" | "name" | "pages" | "pageRanges" | "bytes">;

/** One of the caller's own orders for its page. Throws NOT_FOUND for any other. */
export async function getOwnOrder(
  ctx: Context<SignedIn>,
  { orderId }: { orderId: string },
): Promise<OwnOrderDetail> {
  return orderDetail(ctx, await requireOwnOrder(ctx.readDb, ctx, orderId));
}

/** The details of an order that the caller may see. */
export async function orderDetail(
  { readDb }: Pick<Deps, "readDb">,
  order: OrderRow,
): Promise<OwnOrderDetail> {
  const { id: orderId } = order;
  const [lines, files, history, fileStatuses, held] = await Promise.all([
    findOrderLines(readDb, orderId),
    findOrderFiles(readDb, orderId),
    findOrderHistory(readDb, orderId),
    findFileStatuses(readDb, [orderId]),
    order.held_at === null ? undefined : findOpenHold(readDb, orderId),
  ]);
  return {
    ...toOwnOrder(order),
    options: linesByJob(order, lines).map((job) =>
      Object.fromEntries(job.map((line) => [line.kind, line.option_id])),
    ),
    quote: agreedQuote(order, lines),
    jobs: agreedJobs(order, files),
    files: agreedFiles(order, files).map(toOwnFile),
    fileStatus: fileStatusOf(fileStatuses.get(orderId), order.files_delete_at),
    reached: history.map(({ state, at }) => ({ state, at })),
    cancelReason: reasonForStudent(history.find(({ reason }) => reason !== null)?.reason),
    hold: held ? toOwnHold(held) : null,
    isReprint: order.reprint_of !== null,
  };
}

/** Why an order was cancelled; null while it is not. */
function reasonForStudent(reason: string | null = null): string | null {
  return reason === CANCELLED_BY_STUDENT.forShop ? CANCELLED_BY_STUDENT.forStudent : reason;
}

/** Without the name of who works there. */
function toOwnHold({ id, reason, at, answer, answeredAt }: HoldRecord): Hold {
  return { id, reason, at, answer, answeredAt };
}

function toOwnFile({ id, name, pages, pageRanges, bytes }: OrderFileRow): OwnFile {
  return { id, name, pages, pageRanges, bytes };
}

/** The price at the time of placing, whatever the shop charges today. */
export function agreedQuote(order: OrderTable, rows: OrderLineTable[]): Quote {
  const exactPaise = rows.reduce((sum, line) => sum + line.amount_paise, 0);
  const lines = linesByJob(order, rows);
  return {
    jobs: agreedCounts(order).map((counts, job) => ({
      ...counts,
      lines: (lines[job] ?? []).map(toPriceLine),
    })),
    sheets: order.sheets,
    roundingPaise: order.sub_total_paise - exactPaise,
    subTotalPaise: order.sub_total_paise,
    taxPaise: order.tax_paise,
    deliveryFeePaise: order.delivery_fee_paise,
    totalPaise: order.total_paise,
  };
}

export function lineOf(lines: readonly OrderLineTable[], kind: OptionKind): OrderLineTable {
  const line = lines.find((each) => each.kind === kind);
  if (!line) throw new Error(`the order has no line of ${kind}`);
  return line;
}

/** The lines of each job of the order, in the order of the six lists. */
export function linesByJob(order: OrderTable, rows: OrderLineTable[]): OrderLineTable[][] {
  const sorted = rows.toSorted((a, b) => OPTION_KINDS.indexOf(a.kind) - OPTION_KINDS.indexOf(b.kind));
  return agreedCounts(order).map((_, job) => sorted.filter((row) => row.job === job));
}

function toPriceLine(row: OrderLineTable): PriceLine {
  return {
    kind: row.kind,
    name: row.name,
    unitPaise: row.unit_paise,
    basis: row.basis,
    quantity: row.quantity,
    amountPaise: row.amount_paise,
  };
}

/** The shop's data at the time of placing, whatever it is called today. */
export function agreedShop(order: OrderTable) {
  return {
    name: order.shop_name,
    location: order.shop_location,
    email: order.shop_email,
    contactNumber: order.shop_contact_number,
  };
}

/** The delivery address; null if none was given. */
export function agreedAddress({ address }: Pick<OrderTable, "address">): DeliveryAddress | null {
  return address ? JSON.parse(address) : null;
}

/** The amounts of an order, from its row. */
export function moneyOf(
  order: Pick<OrderRow, "state" | "total_paise" | "paid_paise" | "refunded_paise" | "credited_paise">,
): OrderMoney {
  return {
    state: order.state,
    totalPaise: order.total_paise,
    paidPaise: order.paid_paise,
    refundedPaise: order.refunded_paise,
    creditedPaise: order.credited_paise,
  };
}

/**
 * Since when the order is paid in full; null where it is not. What was given back counts as paid, unless everything was: the shop then
 * holds nothing.
 */
export function paidSince(
  { total_paise, paid_paise, credited_paise, paid_at }: OrderTable,
  now: string,
): string | null {
  return paid_paise > 0 && paid_paise + credited_paise >= total_paise ? (paid_at ?? now) : null;
}

/** The data of an order that the stats count. */
export function countedOrder(order: OrderTable, { jobs }: Quote): CountedOrder {
  return {
    shopId: order.shop_id,
    placedAt: order.created_at,
    isCancelled: order.state === "cancelled",
    pages: order.pages,
    copies: order.copies,
    sheets: order.sheets,
    totalPaise: order.total_paise,
    jobs,
  };
}

/** Counts an order in the stats as cancelled; its row says so already. */
export async function countCancelledOrder(trx: Trx, order: OrderTable): Promise<void> {
  await countCancelled(trx, countedOrder(order, agreedQuote(order, await findOrderLines(trx, order.id))));
}

/** The files of an order, each with its printed pages. */
export async function findPrintedFiles(db: Db | Trx, order: OrderTable): Promise<OrderFileRow[]> {
  return agreedFiles(order, await findOrderFiles(db, order.id));
}

/** All data of this user's orders for the export, newest first; amounts in rupees. */
export async function exportOrders(db: Db, userId: string) {
  const orders = await findOrdersOf(db, userId);
  const lines = Map.groupBy(await findLinesOf(db, userId), byOrder);
  const events = Map.groupBy(await findHistoryOf(db, userId), byOrder);
  const files = Map.groupBy(await findOrderedFilesOf(db, userId), byOrder);
  const holds = Map.groupBy(await findHoldsOf(db, userId), byOrder);
  const payments = Map.groupBy(await findPaymentsOf(db, userId), byOrder);
  const invoices = Map.groupBy(await findInvoicesOf(db, userId), byOrder);
  return orders.map((order) => ({
    ...exportedFacts(order),
    lines: linesFacts(order, lines.get(order.id) ?? []),
    history: historyFacts(events.get(order.id) ?? []),
    invoices: (invoices.get(order.id) ?? []).map(invoiceFacts),
    payments: (payments.get(order.id) ?? []).map(paymentFacts),
    holds: (holds.get(order.id) ?? []).map(holdFacts),
    files: (files.get(order.id) ?? []).map(fileFacts),
  }));
}

function byOrder({ order_id }: { order_id: string }): string {
  return order_id;
}

function exportedFacts(order: OrderTable) {
  return {
    number: order.number,
    state: order.state,
    placedAt: order.created_at,
    shop: agreedShop(order),
    noOfPages: order.pages,
    noOfCopies: order.copies,
    sheets: order.sheets,
    jobs: order.jobs && JSON.parse(order.jobs),
    message: order.message,
    userEmail: order.user_email,
    fulfilment: order.fulfilment,
    address: agreedAddress(order),
    paidAt: order.paid_at,
    stars: order.stars,
    ...orderValueOf({
      subTotalPaise: order.sub_total_paise,
      taxPaise: order.tax_paise,
      deliveryFeePaise: order.delivery_fee_paise,
      totalPaise: order.total_paise,
    }),
  };
}

function linesFacts(order: OrderTable, rows: OrderLineTable[]) {
  return agreedQuote(order, rows).jobs.flatMap(({ lines }, job) =>
    lines.map(({ kind, name, unitPaise, basis, quantity, amountPaise }) => ({
      job: job + 1,
      option: OPTION_FIELDS[kind].label,
      name,
      unitPrice: toRupees(unitPaise),
      basis,
      quantity,
      amount: toRupees(amountPaise),
    })),
  );
}

function historyFacts(events: OrderHistoryTable[]) {
  return events.map(({ state, created_at: at, reason }) => ({ state, at, reason }));
}

function paymentFacts({ kind, method, amount_paise, reason, created_at: at }: PaymentTable) {
  return { kind, method, amount: toRupees(amount_paise), reason, at };
}

function invoiceFacts(invoice: InvoiceTable) {
  const { kind, total_paise, issued_at: at, reason } = invoice;
  return { kind, number: invoiceNumber(invoice), total: toRupees(total_paise), reason, at };
}

function holdFacts({ reason, created_at: at, answer, answered_at, resolved_at, how }: OrderHoldTable) {
  return { reason, at, answer, answeredAt: answered_at, endedAt: resolved_at, how };
}

function fileFacts({ name, bytes, pages, page_ranges: printedPages, erasedAt }: OrderedFile) {
  return { name, bytes, pages, printedPages, deletedAt: erasedAt };
}

/** Numbers of the user's open orders, oldest first. */
export async function listOpenNumbers(trx: Trx, userId: string): Promise<string[]> {
  return (await findOpenOrders(trx, userId)).map(({ number }) => number);
}

/** Removes the user's personal data from their orders, which are kept and found by their numbers only. */
export async function anonymiseOrders(trx: Trx, userId: string): Promise<void> {
  await deleteHoldsOf(trx, userId);
  await blankOrders(trx, userId);
  await deleteNotesAbout(trx, userId);
  await reindexStudent(trx, { _id: userId, fullName: "", phone: "", email: "" });
}

/** In status `deleting` nobody can read the files any more, but their content is not removed yet. */
export type FileStatus =
  | { count: number; status: "deleting" }
  /** `deleteAt`: when a printed order's files will be deleted. */
  | { count: number; status: "kept"; deleteAt: string | null }
  | { count: number; status: "deleted"; at: string };

/** The status of an order's files for the student. */
function fileStatusOf(files: OrderFileStatus | undefined, deleteAt: string | null): FileStatus {
  if (!files) return { count: 0, status: "kept", deleteAt };
  const { count, deleted, erased, lastErasedAt } = files;
  if (lastErasedAt && erased === count) return { count, status: "deleted", at: lastErasedAt };
  return deleted > 0 ? { count, status: "deleting" } : { count, status: "kept", deleteAt };
}

/**
 * Rates one of the caller's own delivered orders, or changes its rating. Throws NOT_FOUND for somebody else's order, and
 * CONFLICT for one that is not delivered.
 */
export async function rateOrder(ctx: Context<SignedIn>, input: RateInput): Promise<void> {
  await transact(ctx.db, (trx) => storeRating(trx, ctx, input));
}

async function storeRating(trx: Trx, ctx: Context<SignedIn>, { orderId, stars }: RateInput): Promise<void> {
  const order = await lockOwnOrder(trx, ctx, orderId);
  const { number, shop_id, state, stars: before } = order;
  if (state !== "delivered") {
    throw new AppError("CONFLICT", `Order ${number} is not delivered. It can be rated once it is`);
  }
  if (before === stars) return;
  await ctx.limits.take(trx, ["ratingAccount", ctx.actor.user._id]);
  await updateOrder(trx, order, { stars });
  await countRating(trx, shop_id, { before, after: stars });
}
