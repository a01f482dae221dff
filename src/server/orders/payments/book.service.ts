import { type Trx, transact } from "#db/transaction.ts";
import { CSV_START, csvLine } from "#shared/csv.ts";
import { INVOICE_NAMES, invoiceNumber, STATES } from "#shared/gst.ts";
import { type Day, indianDay, indianTime, spreadsheetTime } from "#shared/indian-time.ts";
import { formatPaise, type Paise, toRupees } from "#shared/money.ts";
import { STATE_NAMES } from "#shared/order-states.ts";
import {
  duePaise,
  METHOD_NAMES,
  PAYMENT_NAMES,
  type PaymentKind,
  paymentStatus,
  refundDuePaise,
} from "#shared/payment.ts";
import type { BookDayInput, BookOrdersInput, CloseDayInput, OutstandingInput } from "#shared/schemas/book.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import type { PeriodInput } from "#shared/schemas/period.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import {
  type Context,
  chosenRange,
  chosenShops,
  requireShop,
  type StaffMember,
  shopNotFound,
} from "../../context.ts";
import { AppError, fieldError } from "../../errors.ts";
import { PAGE_QUERY_ROWS, toPage } from "../../lib/paging.ts";
import { listShopNames } from "../../shops/shops.service.ts";
import {
  type BookInvoice,
  type BookOrder,
  type BookPayment,
  type ClerkSum,
  closeBookDay,
  findBookDay,
  findBookInvoices,
  findBookOrders,
  findBookPayments,
  findOpenDays,
  type MethodSum,
  type OrderedTotals,
  type OutstandingRefunds,
  sumDay,
  sumOrders,
  sumOutstandingRefunds,
  sumPayments,
} from "./book.queries.ts";
import { lockBookDay } from "./payments.queries.ts";

/** Money that was taken and given back, in paise; reversals are taken off. */
interface MoneySums {
  cashTaken: Paise;
  upiTaken: Paise;
  cashRefunded: Paise;
  upiRefunded: Paise;
}

/** The totals of a period: of the orders placed in it, and of the money collected in it, which may be for older orders. */
export interface BookTotals {
  ordered: OrderedTotals;
  collected: MoneySums;
}

/** Throws NOT_FOUND for a shop that is not the caller's. */
export async function getBookTotals(ctx: Context<StaffMember>, input: PeriodInput): Promise<BookTotals> {
  const range = chosenRange(ctx, input);
  return {
    ordered: await sumOrders(ctx.readDb, range),
    collected: sumsOf(await sumPayments(ctx.readDb, range)),
  };
}

/**
 * Refunds that are outstanding from before a day, so that none is forgotten once it has left the period on the screen.
 * Throws as `getBookTotals` does.
 */
export async function getOutstandingRefunds(
  ctx: Context<StaffMember>,
  { shopId, before }: OutstandingInput,
): Promise<OutstandingRefunds> {
  return sumOutstandingRefunds(ctx.readDb, { shops: chosenShops(ctx, shopId), before });
}

/** One page of the orders that were placed in a period, newest first. Throws as `getBookTotals` does. */
export async function listBookOrders(
  ctx: Context<StaffMember>,
  { filter, cursor, ...input }: BookOrdersInput,
): Promise<ListPage<BookOrder>> {
  const range = chosenRange(ctx, input);
  const page = { filter, after: cursor ?? undefined, limit: PAGE_QUERY_ROWS };
  return toPage(await findBookOrders(ctx.readDb, range, page));
}

function sumsOf(rows: MethodSum[]): MoneySums {
  const sum = (method: MethodSum["method"], isRefund: boolean) =>
    rows
      .filter((row) => row.method === method && row.isRefund === isRefund)
      .reduce((total, { amountPaise }) => total + amountPaise, 0);
  return {
    cashTaken: sum("cash", false),
    upiTaken: sum("upi", false),
    // `0 -` instead of a sign, which would make -0 of nothing.
    cashRefunded: 0 - sum("cash", true),
    upiRefunded: 0 - sum("upi", true),
  };
}

/** The figures of one day, in paise. */
interface DayFigures extends MoneySums {
  /** Cash taken less cash refunded. */
  expectedCash: Paise;
  clerks: (MoneySums & { name: string })[];
}

/** A day of a shop's book. Once closed, its figures are those of the closing. */
export interface BookDay {
  shop: { id: string; name: string; location: string };
  day: Day;
  figures: DayFigures;
  closed: { at: string; by: string; countedCash: Paise; note: string } | null;
  /** Whether the day has begun, so that it can be closed. */
  canClose: boolean;
  /** Earlier days with payments that nobody has closed yet. */
  openDays: Day[];
}

/** Earlier open days that are listed. */
const MAX_OPEN_DAYS = 10;

/** Throws NOT_FOUND for a shop that is not the caller's. */
export async function getBookDay(ctx: Context<StaffMember>, { shopId, day }: BookDayInput): Promise<BookDay> {
  requireShop(ctx, shopId);
  const [shop] = await listShopNames(ctx.readDb, [shopId]);
  if (!shop) throw shopNotFound();
  const today = indianDay(ctx.now());
  const row = await findBookDay(ctx.readDb, shopId, day);
  const isClosed = row !== undefined && row.closed_at !== null;
  return {
    shop: { id: shop.id, name: shop.name, location: shop.location },
    day,
    figures: isClosed ? JSON.parse(row.figures ?? "") : figuresOf(await sumDay(ctx.readDb, shopId, day)),
    closed: isClosed
      ? {
          at: row.closed_at ?? "",
          by: row.closedByName ?? "",
          countedCash: row.counted_cash_paise ?? 0,
          note: row.note,
        }
      : null,
    canClose: !isClosed && day <= today,
    openDays: await findOpenDays(ctx.readDb, { shopId, before: today, limit: MAX_OPEN_DAYS }),
  };
}

function figuresOf(rows: ClerkSum[]): DayFigures {
  const sums = sumsOf(rows);
  const clerks = Map.groupBy(rows, ({ clerkId }) => clerkId);
  return {
    ...sums,
    expectedCash: sums.cashTaken - sums.cashRefunded,
    clerks: [...clerks.values()].map((own) => ({ name: own[0]?.clerk ?? "", ...sumsOf(own) })),
  };
}

/**
 * Closes a day of a shop's book; later payments count on the next open day. Throws NOT_FOUND for another shop, CONFLICT if
 * it is closed already or its cash is not what the caller saw, and INVALID_INPUT for a day that has not begun or a
 * difference without a note.
 */
export async function closeDay(ctx: Context<StaffMember>, input: CloseDayInput): Promise<void> {
  requireShop(ctx, input.shopId);
  if (input.day > indianDay(ctx.now())) throw new AppError("INVALID_INPUT", "This day has not begun yet");
  await transact(ctx.db, (trx) => storeClosing(trx, ctx, input));
}

async function storeClosing(trx: Trx, ctx: Context<StaffMember>, input: CloseDayInput): Promise<void> {
  const { shopId, day, expectedCashPaise, countedCashPaise, note } = input;
  const [shop] = await listShopNames(trx, [shopId]);
  if (!shop) throw shopNotFound();
  // Payments lock the day as well: none comes between the sums and the closing.
  if (!(await lockBookDay(trx, shopId, day))) throw await closedAlready(trx, shopId, day);
  const figures = figuresOf(await sumDay(trx, shopId, day));
  if (figures.expectedCash !== expectedCashPaise) {
    throw new AppError(
      "CONFLICT",
      `The expected cash is ${formatPaise(figures.expectedCash)} now, because somebody recorded a payment. Please look again`,
    );
  }
  const difference = countedCashPaise - figures.expectedCash;
  if (difference !== 0 && note === "") throw fieldError("note", "Say why the counted cash differs");
  await closeBookDay(trx, {
    shop_id: shopId,
    day,
    closed_at: ctx.now().toISOString(),
    closed_by: ctx.actor.user._id,
    counted_cash_paise: countedCashPaise,
    note,
    figures: JSON.stringify(figures),
  });
  await recordAudit(trx, ctx, {
    action: "book.close",
    subject: { id: shopId, name: `${shop.name}, ${day}` },
    shopId,
    after: {
      expectedCash: formatPaise(figures.expectedCash),
      countedCash: formatPaise(countedCashPaise),
      difference: formatPaise(difference),
      ...(note && { note }),
    },
  });
}

async function closedAlready(trx: Trx, shopId: string, day: Day): Promise<AppError> {
  const closed = await findBookDay(trx, shopId, day);
  return new AppError(
    "CONFLICT",
    `${closed?.closedByName || "Somebody"} closed this day already, on ${indianTime(closed?.closed_at ?? "")}`,
  );
}

/** Rows that an export reads at a time. */
const EXPORT_ROWS = 500;

/** The rows as CSV, piece by piece; the next rows are read once the piece before has been taken. */
async function* csvPieces<Row>(
  headings: string[],
  read: (page: { after: Row | undefined; limit: number }) => Promise<Row[]>,
  cellsOf: (row: Row) => (string | number)[],
): AsyncGenerator<string> {
  yield CSV_START + csvLine(headings);
  let after: Row | undefined;
  do {
    const rows = await read({ after, limit: EXPORT_ROWS });
    yield rows.map((row) => csvLine(cellsOf(row))).join("");
    after = rows.length === EXPORT_ROWS ? rows.at(-1) : undefined;
  } while (after);
}

/** The orders of a period as CSV, piece by piece. Throws as `getBookTotals` does, before the first piece. */
export function exportOrders(ctx: Context<StaffMember>, input: PeriodInput): AsyncGenerator<string> {
  const range = chosenRange(ctx, input);
  return csvPieces(
    ORDER_HEADINGS,
    (page) => findBookOrders(ctx.readDb, range, { filter: "all", ...page }),
    orderCells,
  );
}

const ORDER_HEADINGS = [
  ...["Order", "Placed", "Shop", "Student", "State", "Payment"],
  ...["Total", "Paid", "Left to pay", "Refunded", "Refund outstanding"],
];

function orderCells(order: BookOrder): (string | number)[] {
  return [
    order.number,
    spreadsheetTime(order.createdAt),
    order.shopName,
    order.studentName,
    STATE_NAMES[order.state],
    PAYMENT_NAMES[paymentStatus(order)],
    toRupees(order.totalPaise),
    toRupees(order.paidPaise),
    toRupees(duePaise(order)),
    toRupees(order.refundedPaise),
    toRupees(refundDuePaise(order)),
  ];
}

/** The payments of a period as CSV, like `exportOrders`. */
export function exportPayments(ctx: Context<StaffMember>, input: PeriodInput): AsyncGenerator<string> {
  const range = chosenRange(ctx, input);
  return csvPieces(PAYMENT_HEADINGS, (page) => findBookPayments(ctx.readDb, range, page), paymentCells);
}

const PAYMENT_HEADINGS = [
  ...["Payment", "Day", "Recorded", "Order", "Shop", "Kind", "Method", "Amount"],
  ...["By", "Approved by", "Reason", "Reverses"],
];

const KIND_NAMES: Record<PaymentKind, string> = {
  payment: "Payment",
  refund: "Refund",
  reversal: "Reversal",
};

function paymentCells(payment: BookPayment): (string | number)[] {
  return [
    payment.id,
    payment.day,
    spreadsheetTime(payment.createdAt),
    payment.orderNumber,
    payment.shopName,
    KIND_NAMES[payment.kind],
    METHOD_NAMES[payment.method],
    toRupees(payment.amountPaise),
    payment.by,
    payment.approvedBy ?? "",
    payment.reason,
    payment.reverses ?? "",
  ];
}

/** The tax invoices of a period with their notes as CSV, like `exportOrders`, but oldest first, as they are numbered. */
export function exportInvoices(ctx: Context<StaffMember>, input: PeriodInput): AsyncGenerator<string> {
  const range = chosenRange(ctx, input);
  return csvPieces(INVOICE_HEADINGS, (page) => findBookInvoices(ctx.readDb, range, page), invoiceCells);
}

const INVOICE_HEADINGS = [
  ...["Number", "Date", "Kind", "For invoice", "Shop", "GSTIN", "Place of supply", "HSN/SAC", "Rate (%)"],
  ...["Taxable value", "CGST", "SGST", "IGST", "Total", "Order", "Reason"],
];

function invoiceCells(invoice: BookInvoice): (string | number)[] {
  const { kind, invoiceSeries: series, invoiceYear: year, invoiceSeq: seq, place } = invoice;
  return [
    invoiceNumber(invoice),
    indianDay(invoice.issuedAt),
    INVOICE_NAMES[kind],
    kind === "invoice" ? "" : invoiceNumber({ kind: "invoice", series, year, seq }),
    invoice.shopName,
    invoice.gstin,
    `${place}-${STATES[place] ?? ""}`,
    invoice.sac,
    invoice.ratePercent,
    toRupees(invoice.taxablePaise),
    toRupees(invoice.cgstPaise),
    toRupees(invoice.sgstPaise),
    toRupees(invoice.igstPaise),
    toRupees(invoice.totalPaise),
    invoice.orderNumber,
    invoice.reason,
  ];
}
